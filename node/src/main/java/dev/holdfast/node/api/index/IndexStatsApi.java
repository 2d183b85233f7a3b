package dev.holdfast.node.api.index;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.IndexingShards;
import dev.holdfast.indexing.ShardStats;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// `GET /_stats`, `GET /{index}/_stats/{metric}`.
public final class IndexStatsApi implements Api {
  private static final Set<String> METRICS =
      new TreeSet<>(
          List.of(
              "docs",
              "store",
              "indexing",
              "get",
              "search",
              "merge",
              "refresh",
              "flush",
              "warmer",
              "query_cache",
              "fielddata",
              "completion",
              "segments",
              "translog",
              "request_cache",
              "recovery",
              "bulk",
              "shard_stats",
              "mappings",
              "dense_vector",
              "sparse_vector"));

  private final Metadata metadata;
  private final IndexingShards shards;

  public IndexStatsApi(Metadata metadata, IndexingShards shards) {
    this.metadata = metadata;
    this.shards = shards;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            metadata.current(),
            request.text("index", ""),
            IndexExpression.Options.METADATA.of(request));
    Set<String> metrics = metrics(request);
    ObjectNode perIndex = Json.object();
    List<ShardStats> all = new ArrayList<>();
    int total = 0;
    boolean isByShard = request.text("level", "indices").equals("shards");
    for (IndexMetadata index : indices) {
      List<ShardStats> own = new ArrayList<>();
      ObjectNode one = Json.object();
      one.put("uuid", index.id().uuid())
          .put("health", "green")
          .put("status", index.isOpen() ? "open" : "close");
      ObjectNode byShard = Json.object();
      for (int number = 0; number < index.shards() && index.isOpen(); number++) {
        ShardStats stats = shards.stats(new ShardId(index.id(), number));
        own.add(stats);
        total++;
        byShard.putArray(Integer.toString(number)).add(render(List.of(stats), metrics));
      }
      all.addAll(own);
      one.set("primaries", render(own, metrics));
      one.set("total", render(own, metrics));
      if (isByShard) {
        one.set("shards", byShard);
      }
      perIndex.set(index.id().name(), one);
    }
    ObjectNode answer = Json.object();
    answer.putObject("_shards").put("total", total).put("successful", total).put("failed", 0);
    ObjectNode together = answer.putObject("_all");
    together.set("primaries", render(all, metrics));
    together.set("total", render(all, metrics));
    if (!request.text("level", "indices").equals("cluster")) {
      answer.set("indices", perIndex);
    }
    return Answer.of(200, answer);
  }

  private static Set<String> metrics(ApiRequest request) {
    List<String> asked = request.list("metric");
    for (String metric : asked) {
      if (!METRICS.contains(metric) && !metric.equals("_all")) {
        throw Refusal.badArgument(
            Suggestions.didYouMean(
                "request ["
                    + request.path()
                    + "] contains unrecognized metric: ["
                    + metric
                    + "] ->",
                metric,
                METRICS));
      }
    }
    return asked.isEmpty() || asked.contains("_all") ? METRICS : new TreeSet<>(asked);
  }

  private interface Field {
    long of(ShardStats stats);
  }

  private static long sum(List<ShardStats> stats, Field field) {
    return stats.stream().mapToLong(field::of).sum();
  }

  private static @Nullable ObjectNode put(
      ObjectNode into, Set<String> metrics, String metric, String name) {
    return metrics.contains(metric) ? into.putObject(name) : null;
  }

  /// The sections asked for, summed over shards.
  static ObjectNode render(List<ShardStats> s, Set<String> metrics) {
    ObjectNode json = Json.object();
    ObjectNode docs = put(json, metrics, "docs", "docs");
    if (docs != null) {
      docs.put("count", sum(s, ShardStats::documents))
          .put("deleted", sum(s, ShardStats::deletedDocuments));
    }
    ObjectNode store = put(json, metrics, "store", "store");
    if (store != null) {
      long bytes = sum(s, ShardStats::storeBytes);
      store
          .put("size_in_bytes", bytes)
          .put("total_data_set_size_in_bytes", bytes)
          .put("reserved_in_bytes", 0);
    }
    ObjectNode indexing = put(json, metrics, "indexing", "indexing");
    if (indexing != null) {
      indexing
          .put("index_total", sum(s, ShardStats::indexOperations))
          .put("index_time_in_millis", sum(s, ShardStats::indexMillis))
          .put("index_current", 0)
          .put("index_failed", sum(s, ShardStats::indexFailed))
          .put("index_failed_due_to_version_conflict", sum(s, ShardStats::versionConflicts))
          .put("delete_total", sum(s, ShardStats::deleteOperations))
          .put("delete_time_in_millis", 0)
          .put("delete_current", 0)
          .put("noop_update_total", sum(s, ShardStats::noopUpdates))
          .put("is_throttled", false)
          .put("throttle_time_in_millis", 0);
    }
    ObjectNode get = put(json, metrics, "get", "get");
    if (get != null) {
      get.put("total", sum(s, ShardStats::getOperations))
          .put("time_in_millis", 0)
          .put("current", 0);
    }
    ObjectNode search = put(json, metrics, "search", "search");
    if (search != null) {
      search
          .put("open_contexts", 0)
          .put("query_total", 0)
          .put("query_time_in_millis", 0)
          .put("query_current", 0);
      search.put("fetch_total", 0).put("fetch_time_in_millis", 0).put("fetch_current", 0);
    }
    ObjectNode merges = put(json, metrics, "merge", "merges");
    if (merges != null) {
      merges
          .put("current", sum(s, ShardStats::currentMerges))
          .put("total", sum(s, ShardStats::merges))
          .put("total_time_in_millis", sum(s, ShardStats::mergeMillis))
          .put("total_docs", sum(s, ShardStats::mergedDocuments))
          .put("total_size_in_bytes", sum(s, ShardStats::mergedBytes))
          .put("total_stopped_time_in_millis", 0)
          .put("total_throttled_time_in_millis", 0);
    }
    ObjectNode refresh = put(json, metrics, "refresh", "refresh");
    if (refresh != null) {
      refresh
          .put("total", sum(s, ShardStats::refreshes))
          .put("total_time_in_millis", sum(s, ShardStats::refreshMillis))
          .put("external_total", sum(s, ShardStats::refreshes))
          .put("external_total_time_in_millis", sum(s, ShardStats::refreshMillis))
          .put("listeners", 0);
    }
    ObjectNode flush = put(json, metrics, "flush", "flush");
    if (flush != null) {
      flush
          .put("total", sum(s, ShardStats::flushes))
          .put("periodic", 0)
          .put("total_time_in_millis", sum(s, ShardStats::flushMillis));
    }
    ObjectNode segments = put(json, metrics, "segments", "segments");
    if (segments != null) {
      segments
          .put("count", sum(s, st -> st.segments()))
          .put("memory_in_bytes", 0)
          .put("index_writer_memory_in_bytes", 0);
    }
    ObjectNode translog = put(json, metrics, "translog", "translog");
    if (translog != null) {
      translog
          .put("operations", sum(s, ShardStats::translogOperations))
          .put("size_in_bytes", sum(s, ShardStats::translogBytes))
          .put("uncommitted_operations", sum(s, ShardStats::translogOperations))
          .put("uncommitted_size_in_bytes", sum(s, ShardStats::translogBytes))
          .put("earliest_last_modified_age", 0);
    }
    for (String cache : List.of("query_cache", "request_cache", "fielddata")) {
      ObjectNode section = put(json, metrics, cache, cache);
      if (section != null) {
        section.put("memory_size_in_bytes", 0).put("evictions", 0);
      }
    }
    ObjectNode completion = put(json, metrics, "completion", "completion");
    if (completion != null) {
      completion.put("size_in_bytes", 0);
    }
    return json;
  }
}
