package dev.holdfast.node.api;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.node.NodeIdentity;
import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.ByteSize;

/// `GET /_cat/shards`: a line a shard and a line a search copy elsewhere.
final class CatShardsApi implements CatApi.Maker {
  private final Rooms rooms;

  CatShardsApi(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public CatTable table(ApiRequest request) throws Exception {
    CatTable table =
        new CatTable()
            .column("index", "i,idx", "index name")
            .column("shard", "s,sh", "shard name")
            .column("prirep", "p,pr,primaryOrReplica", "primary or replica")
            .column("state", "st", "shard state")
            .column("docs", "d,dc", "number of docs in shard")
            .column("store", "sto", "store size of shard (how much disk it uses)")
            .column("dataset", "", "total size of dataset")
            .column("ip", "", "ip of node where it lives")
            .hidden("id", "", "unique id of node where it lives")
            .column("node", "n", "name of node where it lives")
            .hidden("indexing.index_total", "iito,indexingIndexTotal", "number of indexing ops")
            .hidden("segments.count", "sc,segmentsCount", "number of segments")
            .hidden("seq_no.max", "sqm,maxSeqNo", "max sequence number");
    ClusterState state = rooms.metadata().current();
    for (ShardFigures shard :
        ShardFigures.of(
            rooms.indexing(),
            IndexExpression.resolve(
                state, request.text("index", ""), Health.EVERYTHING.of(request)))) {
      boolean started = shard.isStarted();
      ByteSize size = started ? new ByteSize(shard.counted().storeBytes()) : null;
      for (ShardPlace place : shard.places(state)) {
        NodeIdentity node = ClusterMembers.byId(rooms, place.node()).orElse(null);
        boolean isCounted = started && place.isActive();
        table.row(
            shard.index().id().name(),
            shard.shard().number(),
            place.isPrimary() ? "p" : "r",
            place.state(),
            isCounted ? shard.counted().documents() : null,
            isCounted ? size : null,
            isCounted ? size : null,
            node == null ? null : node.host(),
            node == null ? null : node.id(),
            node == null ? null : node.name(),
            place.isPrimary() ? shard.counted().indexOperations() : null,
            shard.counted().segments(),
            shard.counted().maxSeqNo());
      }
    }
    return table;
  }
}
