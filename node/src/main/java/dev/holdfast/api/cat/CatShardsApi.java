package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.ShardRouting;
import dev.holdfast.api.stats.ShardStatsJson;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.search.Searches;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `GET /_cat/shards`: a line a shard and a line a search copy elsewhere.
public final class CatShardsApi implements CatApi.Maker {
  private final Path data;
  private final ClusterMembers members;
  private final IndexingShards indexing;
  private final Searches searches;

  public CatShardsApi(
      Path data, ClusterMembers members, IndexingShards indexing, Searches searches) {
    this.data = data;
    this.members = members;
    this.indexing = indexing;
    this.searches = searches;
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
            .hidden("unassigned.reason", "ur", "reason shard became unassigned")
            .hidden("unassigned.at", "ua", "time shard became unassigned (UTC)")
            .hidden("unassigned.for", "uf", "time has been unassigned")
            .hidden("unassigned.details", "ud", "additional details as to why it is unassigned")
            .hidden("recoverysource.type", "rs", "recovery source type");
    StatisticsColumn.of('s')
        .forEach(column -> table.hidden(column.name(), column.aliases(), column.description()));
    ClusterState state = members.metadata().current();
    boolean isDetailed = table.wantsHidden(request);
    Map<ShardId, CacheFigures> caches = isDetailed ? searches.caches() : Map.of();
    Map<ShardId, SearchFigures> searched = isDetailed ? searches.searched() : Map.of();
    for (ShardFigures shard :
        ShardFigures.of(
            indexing,
            IndexBlocks.showable(
                IndexExpression.resolve(
                    state, request.text("index", ""), ClusterHealth.EVERYTHING.of(request))))) {
      boolean started = shard.isStarted();
      ByteSize size = started ? new ByteSize(shard.counted().storeBytes()) : null;
      for (ShardRouting place : shard.places(state)) {
        NodeIdentity node = members.byId(place.node()).orElse(null);
        boolean isCounted = started && place.isActive();
        List<@Nullable Object> row = new ArrayList<>();
        row.add(shard.index().id().name());
        row.add(shard.shard().number());
        row.add(place.isPrimary() ? "p" : "r");
        row.add(place.state());
        row.add(isCounted ? shard.counted().documents() : null);
        row.add(isCounted ? size : null);
        row.add(isCounted ? size : null);
        row.add(node == null ? null : node.host());
        row.add(node == null ? null : node.id());
        row.add(node == null ? null : node.name());
        for (int i = 0; i < 5; i++) {
          row.add(null);
        }
        ObjectNode stats = isDetailed && isCounted ? stats(shard, caches, searched) : Json.object();
        StatisticsColumn.of('s').forEach(column -> row.add(column.cell(stats)));
        table.row(row.toArray());
      }
    }
    return table;
  }

  private ObjectNode stats(
      ShardFigures shard, Map<ShardId, CacheFigures> caches, Map<ShardId, SearchFigures> searched)
      throws IOException {
    ObjectNode stats =
        StatisticsColumn.json(figures ->
            ShardStatsJson.write(
                figures,
                shard.counted(),
                searched.getOrDefault(shard.shard(), SearchFigures.NONE),
                ShardStatsJson.Detail.NONE,
                caches.getOrDefault(shard.shard(), CacheFigures.NONE),
                section -> true));
    long last = shard.counted().maxSeqNo();
    stats
        .putObject("seq_no")
        .put("max", last)
        .put("local_checkpoint", last)
        .put("global_checkpoint", last);
    String path = data.toString();
    stats.putObject("path").put("data", path).put("state", path);
    return stats;
  }
}
