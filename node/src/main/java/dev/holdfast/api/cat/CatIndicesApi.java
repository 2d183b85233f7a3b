package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.ShardStatsJson;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.search.Searches;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `GET /_cat/indices`: a line an index.
public final class CatIndicesApi implements CatApi.Maker {
  public static final List<String> PARAMETERS =
      IndexExpression.parameters("health", "include_unloaded_segments");

  private final Metadata metadata;
  private final IndexingShards indexing;
  private final Searches searches;

  public CatIndicesApi(Metadata metadata, IndexingShards indexing, Searches searches) {
    this.metadata = metadata;
    this.indexing = indexing;
    this.searches = searches;
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
            .column("dataset.size", "", "total size of dataset");
    for (StatisticsColumn column : StatisticsColumn.of('i')) {
      table
          .hidden(column.name(), column.aliases(), column.description())
          .hidden("pri." + column.name(), "", column.description());
    }
    String wanted = request.text("health");
    ClusterHealth.Status only = wanted == null ? null : ClusterHealth.Status.of(wanted);
    IndexExpression.Options options = IndexExpression.Options.METADATA.of(request);
    ClusterState state = metadata.current();
    boolean isDetailed = table.wantsHidden(request);
    Map<ShardId, CacheFigures> caches = isDetailed ? searches.caches() : Map.of();
    Map<ShardId, SearchFigures> searched = isDetailed ? searches.searched() : Map.of();
    for (IndexMetadata index :
        IndexBlocks.showable(IndexExpression.resolve(state, request.text("index", ""), options))) {
      List<ShardFigures> shards = ShardFigures.of(indexing, List.of(index));
      ClusterHealth.OfIndex health = ClusterHealth.OfIndex.of(state, index, shards);
      if (only == null || health.status() == only) {
        ObjectNode stats =
            isDetailed && index.isOpen() ? stats(health, caches, searched) : Json.object();
        add(table, health, stats);
      }
    }
    return table;
  }

  private static ObjectNode stats(
      ClusterHealth.OfIndex health,
      Map<ShardId, CacheFigures> allCaches,
      Map<ShardId, SearchFigures> allSearched)
      throws IOException {
    ShardStats sum = ShardFigures.sum(health.shards());
    SearchFigures searched =
        SearchFigures.sum(allSearched, health.shards().stream().map(ShardFigures::shard));
    CacheFigures caches =
        CacheFigures.sum(allCaches, health.shards().stream().map(ShardFigures::shard));
    return StatisticsColumn.json(figures ->
        ShardStatsJson.write(
            figures, sum, searched, ShardStatsJson.Detail.NONE, caches, section -> true));
  }

  private static void add(CatTable table, ClusterHealth.OfIndex health, ObjectNode stats) {
    IndexMetadata index = health.metadata();
    ShardStats sum = ShardFigures.sum(health.shards());
    boolean isOpen = index.isOpen();
    long created = Long.parseLong(index.setting("index.creation_date", "0"));
    List<@Nullable Object> row = new ArrayList<>();
    row.add(health.status().label());
    row.add(isOpen ? "open" : "close");
    row.add(index.id().name());
    row.add(index.id().uuid());
    row.add(index.shards());
    row.add(0);
    row.add(isOpen ? sum.documents() : null);
    row.add(isOpen ? sum.deletedDocuments() : null);
    row.add(created);
    row.add(Instant.ofEpochMilli(created).toString());
    for (int i = 0; i < 3; i++) {
      row.add(isOpen ? new ByteSize(sum.storeBytes()) : null);
    }
    for (StatisticsColumn column : StatisticsColumn.of('i')) {
      Object cell = column.cell(stats);
      row.add(cell);
      row.add(cell);
    }
    table.row(row.toArray());
  }
}
