package dev.holdfast.api.stats;

import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.cache.QueryCacheFigures;
import dev.holdfast.search.cache.RequestCacheFigures;
import dev.holdfast.search.coordination.SearchFigures;
import dev.holdfast.world.text.Wildcards;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Counters of shards in the shape of `_stats` and `_nodes/stats/indices`.
public final class ShardStatsJson {
  /// The sections there are.
  public static final Set<String> METRICS =
      new TreeSet<>(
          List.of(
              "bulk",
              "completion",
              "dense_vector",
              "docs",
              "fielddata",
              "flush",
              "get",
              "indexing",
              "mappings",
              "merge",
              "query_cache",
              "recovery",
              "refresh",
              "request_cache",
              "search",
              "segments",
              "shard_stats",
              "sparse_vector",
              "store",
              "translog",
              "warmer"));

  /// Parts of segments that Lucene no longer keeps on the heap.
  private static final List<String> MAPPED =
      List.of(
          "terms_memory",
          "stored_fields_memory",
          "term_vectors_memory",
          "norms_memory",
          "points_memory",
          "doc_values_memory");

  private final StatisticsWriter figures;
  private final ShardStats stats;
  private final SearchFigures searches;
  private final Detail detail;

  private final CacheFigures caches;

  private ShardStatsJson(
      StatisticsWriter figures,
      ShardStats stats,
      SearchFigures searches,
      Detail detail,
      CacheFigures caches) {
    this.figures = figures;
    this.stats = stats;
    this.searches = searches;
    this.detail = detail;
    this.caches = caches;
  }

  /// What is shown besides the sums.
  ///
  /// @param groups patterns of the groups of searches
  /// @param withFiles the sizes of files by kind
  /// @param memory of fields
  public record Detail(
      List<String> groups, boolean withFiles, FieldMemory memory, FieldMemory.Shown fields) {
    public static final Detail NONE = new Detail(List.of(), false);

    public Detail(List<String> groups, boolean withFiles) {
      this(groups, withFiles, FieldMemory.NONE, FieldMemory.Shown.NONE);
    }

    public static Detail of(ApiRequest request) {
      return new Detail(
          request.list("groups"),
          request.flag("include_segment_file_sizes", false),
          FieldMemory.NONE,
          FieldMemory.Shown.of(request));
    }

    public Detail with(FieldMemory ofFields) {
      return new Detail(groups, withFiles, ofFields, fields);
    }
  }

  /// Writes the sections that `isWanted` names into the open object.
  public static void write(
      StatisticsWriter figures,
      ShardStats stats,
      SearchFigures searches,
      Detail detail,
      CacheFigures caches,
      Predicate<String> isWanted)
      throws IOException {
    ShardStatsJson json = new ShardStatsJson(figures, stats, searches, detail, caches);
    json.section("docs", "docs", isWanted, json::docs);
    json.section("store", "store", isWanted, json::store);
    json.section("indexing", "indexing", isWanted, json::indexing);
    json.section("get", "get", isWanted, json::get);
    json.section("search", "search", isWanted, json::search);
    json.section("merge", "merges", isWanted, json::merges);
    json.section("refresh", "refresh", isWanted, json::refresh);
    json.section("flush", "flush", isWanted, json::flush);
    json.section("segments", "segments", isWanted, json::segments);
    json.section("translog", "translog", isWanted, json::translog);
    json.section("warmer", "warmer", isWanted, json::warmer);
    json.section("query_cache", "query_cache", isWanted, json::queries);
    json.section("fielddata", "fielddata", isWanted, json::fielddata);
    json.section("completion", "completion", isWanted, json::completion);
    json.section("request_cache", "request_cache", isWanted, json::cache);
    json.section("recovery", "recovery", isWanted, json::recovery);
    json.section("bulk", "bulk", isWanted, json::bulk);
    json.section("dense_vector", "dense_vector", isWanted, json::vectors);
    json.section("sparse_vector", "sparse_vector", isWanted, json::vectors);
  }

  private void section(
      String metric, String member, Predicate<String> isWanted, StatisticsWriter.Inside inside)
      throws IOException {
    if (isWanted.test(metric)) {
      figures.object(member, inside);
    }
  }

  private void docs() throws IOException {
    figures.number("count", stats.documents());
    figures.number("deleted", stats.deletedDocuments());
    figures.bytes("total_size", stats.storeBytes());
  }

  private void store() throws IOException {
    figures.bytes("size", stats.storeBytes());
    figures.bytes("total_data_set_size", stats.storeBytes());
    figures.bytes("reserved", 0);
  }

  private void indexing() throws IOException {
    figures.number("index_total", stats.indexOperations());
    figures.millis("index_time", stats.indexMillis());
    figures.number("index_current", 0);
    figures.number("index_failed", stats.indexFailed());
    figures.number("index_failed_due_to_version_conflict", stats.versionConflicts());
    figures.number("delete_total", stats.deleteOperations());
    figures.millis("delete_time", 0);
    figures.number("delete_current", 0);
    figures.number("noop_update_total", stats.noopUpdates());
    figures.flag("is_throttled", false);
    figures.millis("throttle_time", 0);
    figures.decimal("write_load", stats.milliLoad() / 1_000.0);
    figures.decimal("recent_write_load", stats.recentMilliLoad() / 1_000.0);
    figures.decimal("peak_write_load", stats.peakMilliLoad() / 1_000.0);
  }

  private void get() throws IOException {
    figures.number("total", stats.getOperations());
    figures.millis("time", 0);
    figures.number("exists_total", stats.getOperations());
    figures.millis("exists_time", 0);
    figures.number("missing_total", 0);
    figures.millis("missing_time", 0);
    figures.number("current", 0);
  }

  private void search() throws IOException {
    figures.number("open_contexts", searches.openContexts());
    searched(searches);
    SortedMap<String, SearchFigures> groups = new TreeMap<>(searches.groups());
    groups
        .keySet()
        .removeIf(group ->
            detail.groups().stream()
                .noneMatch(p -> p.equals("_all") || Wildcards.matches(p, group)));
    if (!groups.isEmpty()) {
      figures.object(
          "groups",
          () -> {
            for (Map.Entry<String, SearchFigures> group : groups.entrySet()) {
              figures.object(group.getKey(), () -> searched(group.getValue()));
            }
          });
    }
  }

  private void searched(SearchFigures figuresOf) throws IOException {
    figures.number("query_total", figuresOf.queries());
    figures.millis("query_time", figuresOf.millis());
    figures.number("query_current", 0);
    figures.number("query_failure", 0);
    figures.number("fetch_total", 0);
    figures.millis("fetch_time", 0);
    figures.number("fetch_current", 0);
    figures.number("fetch_failure", 0);
    figures.number("scroll_total", figuresOf.scrolls());
    figures.millis("scroll_time", figuresOf.scrollMillis());
    figures.number("scroll_current", 0);
    figures.number("suggest_total", 0);
    figures.millis("suggest_time", 0);
    figures.number("suggest_current", 0);
    figures.decimal("recent_search_load", 0);
  }

  private void warmer() throws IOException {
    figures.number("current", 0);
    figures.number("total", 0);
    figures.millis("total_time", 0);
  }

  private void queries() throws IOException {
    QueryCacheFigures queryCache = caches.queries();
    figures.bytes("memory_size", queryCache.bytes());
    figures.number("total_count", queryCache.hits() + queryCache.misses());
    figures.number("hit_count", queryCache.hits());
    figures.number("miss_count", queryCache.misses());
    figures.number("cache_size", queryCache.entries());
    figures.number("cache_count", queryCache.added());
    figures.number("evictions", queryCache.added() - queryCache.entries());
  }

  private void cache() throws IOException {
    RequestCacheFigures requestCache = caches.requests();
    figures.bytes("memory_size", requestCache.bytes());
    figures.number("evictions", requestCache.evictions());
    figures.number("hit_count", requestCache.hits());
    figures.number("miss_count", requestCache.misses());
  }

  /// Field data lie in doc values: they are mapped, and take no heap.
  private void fielddata() throws IOException {
    detail.memory().writeFieldData(figures, detail.fields());
  }

  private void completion() throws IOException {
    detail.memory().writeCompletion(figures, detail.fields());
  }

  private void recovery() throws IOException {
    figures.number("current_as_source", 0);
    figures.number("current_as_source_queued", 0);
    figures.number("current_as_target", 0);
    figures.number("current_as_target_queued", 0);
    figures.number("current_from_store", 0);
    figures.number("current_from_store_queued", 0);
    figures.millis("throttle_time", 0);
  }

  private void bulk() throws IOException {
    figures.number("total_operations", stats.indexOperations() + stats.deleteOperations());
    figures.millis("total_time", stats.indexMillis());
    figures.bytes("total_size", 0);
    long operations = Math.max(1, stats.indexOperations() + stats.deleteOperations());
    figures.millis("avg_time", stats.indexMillis() / operations);
    figures.bytes("avg_size", 0);
  }

  /// Vectors are not counted.
  private void vectors() throws IOException {
    figures.number("value_count", 0);
  }

  private void merges() throws IOException {
    figures.number("current", stats.currentMerges());
    figures.number("current_docs", 0);
    figures.bytes("current_size", 0);
    figures.number("total", stats.merges());
    figures.millis("total_time", stats.mergeMillis());
    figures.number("total_docs", stats.mergedDocuments());
    figures.bytes("total_size", stats.mergedBytes());
    figures.millis("total_stopped_time", 0);
    figures.millis("total_throttled_time", 0);
    figures.bytes("total_auto_throttle", 0);
  }

  private void refresh() throws IOException {
    figures.number("total", stats.refreshes());
    figures.millis("total_time", stats.refreshMillis());
    figures.number("external_total", stats.refreshes());
    figures.millis("external_total_time", stats.refreshMillis());
    figures.number("listeners", 0);
  }

  private void flush() throws IOException {
    figures.number("total", stats.flushes());
    figures.number("periodic", 0);
    figures.millis("total_time", stats.flushMillis());
    figures.millis("total_time_excluding_waiting_on_lock", stats.flushMillis());
  }

  private void segments() throws IOException {
    figures.number("count", stats.segments());
    figures.bytes("memory", 0);
    for (String part : MAPPED) {
      figures.bytes(part, 0);
    }
    figures.bytes("index_writer_memory", 0);
    figures.bytes("version_map_memory", 0);
    figures.bytes("fixed_bit_set_memory", 0);
    figures.number("max_unsafe_auto_id_timestamp", -1);
    // A shard's files lie in blobs of many: what is known is their sum.
    figures.object("file_sizes", () -> files());
  }

  private void files() throws IOException {
    if (detail.withFiles() && stats.segments() > 0) {
      figures.object(
          "segments",
          () -> {
            figures.bytes("size", stats.storeBytes());
            figures.number("count", stats.segments());
            figures.text("description", "everything of a segment");
          });
    }
  }

  private void translog() throws IOException {
    figures.number("operations", stats.translogOperations());
    figures.bytes("size", stats.translogBytes());
    figures.number("uncommitted_operations", stats.translogOperations());
    figures.bytes("uncommitted_size", stats.translogBytes());
    figures.number("earliest_last_modified_age", 0);
  }
}
