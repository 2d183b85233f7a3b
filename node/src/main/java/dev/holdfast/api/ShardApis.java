package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;

import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.shard.ClearCacheApi;
import dev.holdfast.api.indices.shard.DiskUsageApi;
import dev.holdfast.api.indices.shard.FieldUsageApi;
import dev.holdfast.api.indices.shard.FlushApi;
import dev.holdfast.api.indices.shard.ForceMergeApi;
import dev.holdfast.api.indices.shard.IndexStatsApi;
import dev.holdfast.api.indices.shard.RecoveryApi;
import dev.holdfast.api.indices.shard.RefreshApi;
import dev.holdfast.api.indices.shard.SegmentsApi;
import dev.holdfast.api.indices.shard.ShardStoresApi;
import dev.holdfast.api.tasks.BackgroundTasks;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;
import java.util.List;

/// The APIs about shards of indices: refresh, flush, merge, caches, what they are made of.
final class ShardApis {
  private ShardApis() {}

  static void add(Routes routes, ApiDependencies rooms, BackgroundTasks background) {
    work(routes, rooms, background);
    inspecting(routes, rooms);
  }

  private static void work(Routes routes, ApiDependencies rooms, BackgroundTasks background) {
    RefreshApi refresh = new RefreshApi(rooms.world(), rooms.metadata(), rooms.indexing());
    FlushApi flush = new FlushApi(rooms.world(), rooms.metadata(), rooms.indexing());
    IndexStatsApi stats =
        new IndexStatsApi(
            rooms.world().clock(), rooms.metadata(), rooms.indexing(), rooms.searches());
    List<String> flushParameters = IndexExpression.parameters("force", "wait_if_ongoing");
    List<String> statsParameters =
        IndexExpression.parameters(
            "level",
            "fields",
            "completion_fields",
            "fielddata_fields",
            "groups",
            "include_segment_file_sizes",
            "include_unloaded_segments",
            "forbid_closed_indices");
    Api merge = new ForceMergeApi(rooms.world(), rooms.metadata(), rooms.indexing(), background);
    routes
        .on("GET|POST", "/_refresh", NONE, refresh, IndexExpression.parameters())
        .on("GET|POST", "/{index}/_refresh", NONE, refresh, IndexExpression.parameters())
        .on("GET|POST", "/_flush", NONE, flush, flushParameters)
        .on("GET|POST", "/{index}/_flush", NONE, flush, flushParameters)
        .on("GET", "/_stats", NONE, stats, statsParameters)
        .on("GET", "/_stats/{metric}", NONE, stats, statsParameters)
        .on("GET", "/{index}/_stats", NONE, stats, statsParameters)
        .on("GET", "/{index}/_stats/{metric}", NONE, stats, statsParameters)
        .on("POST", "/_forcemerge", NONE, merge, ForceMergeApi.parameters())
        .on("POST", "/{index}/_forcemerge", NONE, merge, ForceMergeApi.parameters());
  }

  private static void inspecting(Routes routes, ApiDependencies rooms) {
    Api segments = new SegmentsApi(rooms.metadata(), rooms.searches(), rooms.identity());
    Api recovery = new RecoveryApi(rooms.metadata(), rooms.indexing(), rooms.identity());
    Api stores = new ShardStoresApi(rooms.metadata(), rooms.identity());
    Api clear = new ClearCacheApi(rooms.metadata(), rooms.searches());
    List<String> ofRecovery =
        IndexExpression.parameters("active_only", "detailed", "local", "master_timeout");
    List<String> ofCaches =
        IndexExpression.parameters("fielddata", "fields", "query", "request", "index");
    routes
        .on("GET", "/_segments", NONE, segments, IndexExpression.parameters("verbose"))
        .on("GET", "/{index}/_segments", NONE, segments, IndexExpression.parameters("verbose"))
        .on(
            "GET",
            "/{index}/_field_usage_stats",
            NONE,
            new FieldUsageApi(rooms.metadata(), rooms.searches()),
            IndexExpression.parameters("fields"))
        .on("GET", "/_recovery", NONE, recovery, ofRecovery)
        .on("GET", "/{index}/_recovery", NONE, recovery, ofRecovery)
        .on(
            "POST",
            "/{index}/_disk_usage",
            NONE,
            new DiskUsageApi(rooms.metadata(), rooms.indexing(), rooms.searches()),
            IndexExpression.parameters("flush", "run_expensive_tasks"))
        .on("GET", "/_shard_stores", NONE, stores, IndexExpression.parameters("status"))
        .on("GET", "/{index}/_shard_stores", NONE, stores, IndexExpression.parameters("status"))
        .on("POST", "/_cache/clear", NONE, clear, ofCaches)
        .on("POST", "/{index}/_cache/clear", NONE, clear, ofCaches);
  }
}
