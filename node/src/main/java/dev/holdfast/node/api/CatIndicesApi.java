package dev.holdfast.node.api;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.ShardStats;
import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.ByteSize;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `GET /_cat/indices`: a line an index.
final class CatIndicesApi implements CatApi.Maker {
  static final List<String> PARAMETERS = List.of("health", "include_unloaded_segments", "pri");

  private final Rooms rooms;

  CatIndicesApi(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public CatTable table(ApiRequest request) throws Exception {
    CatTable table =
        new CatTable()
            .column("health", "h", "current health status")
            .column("status", "s", "open/close status")
            .column("index", "i,idx", "index name")
            .column("uuid", "id,uuid", "index uuid")
            .column("pri", "p,shards.primary,shardsPrimary", "number of primary shards")
            .column("rep", "r,shards.replica,shardsReplica", "number of replica shards")
            .column("docs.count", "dc,docsCount", "available docs")
            .column("docs.deleted", "dd,docsDeleted", "deleted docs")
            .hidden("creation.date", "cd", "index creation date (millisecond value)")
            .hidden("creation.date.string", "cds", "index creation date (as string)")
            .column("store.size", "ss,storeSize", "store size of primaries & replicas")
            .column("pri.store.size", "", "store size of primaries")
            .column("dataset.size", "", "total size of dataset")
            .hidden("indexing.index_total", "iito,indexingIndexTotal", "number of indexing ops")
            .hidden("refresh.total", "rto,refreshTotal", "total refreshes")
            .hidden("merges.total", "mt,mergesTotal", "number of completed merge ops")
            .hidden("segments.count", "sc,segmentsCount", "number of segments");
    String wanted = request.text("health");
    Health.Status only = wanted == null ? null : Health.Status.of(wanted);
    IndexExpression.Options options = IndexExpression.Options.METADATA.of(request);
    ClusterState state = rooms.metadata().current();
    for (IndexMetadata index : IndexExpression.resolve(state, request.text("index", ""), options)) {
      List<ShardFigures> shards = ShardFigures.of(rooms.indexing(), List.of(index));
      add(table, Health.OfIndex.of(state, index, shards), only);
    }
    return table;
  }

  private static void add(CatTable table, Health.OfIndex health, Health.@Nullable Status only) {
    IndexMetadata index = health.metadata();
    if (only != null && health.status() != only) {
      return;
    }
    ShardStats sum = ShardFigures.sum(health.shards());
    boolean isOpen = index.isOpen();
    long created = Long.parseLong(index.setting("index.creation_date", "0"));
    table.row(
        health.status().label(),
        isOpen ? "open" : "close",
        index.id().name(),
        index.id().uuid(),
        index.shards(),
        0,
        isOpen ? sum.documents() : null,
        isOpen ? sum.deletedDocuments() : null,
        created,
        Instant.ofEpochMilli(created).toString(),
        isOpen ? new ByteSize(sum.storeBytes()) : null,
        isOpen ? new ByteSize(sum.storeBytes()) : null,
        isOpen ? new ByteSize(sum.storeBytes()) : null,
        sum.indexOperations(),
        sum.refreshes(),
        sum.merges(),
        sum.segments());
  }
}
