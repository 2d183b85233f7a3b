package dev.holdfast.api.stats;

import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.ShardFigure;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.cache.QueryCacheFigures;
import dev.holdfast.search.cache.RequestCacheFigures;
import dev.holdfast.search.figures.PhaseFigures;
import dev.holdfast.search.figures.SearchFigures;
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
  /// @param ofFields what of the fields is shown
  public record Detail(
      List<String> groups, boolean withFiles, FieldFigures ofFields, FieldFigures.Shown fields) {
    public static final Detail NONE = new Detail(List.of(), false);

    public Detail(List<String> groups, boolean withFiles) {
      this(groups, withFiles, FieldFigures.NONE, FieldFigures.Shown.NONE);
    }

    public static Detail of(ApiRequest request) {
      return new Detail(
          request.list("groups"),
          request.flag("include_segment_file_sizes", false),
          FieldFigures.NONE,
          FieldFigures.Shown.of(request));
    }

    public Detail with(FieldFigures found) {
      return new Detail(groups, withFiles, found, fields);
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
    json.section("dense_vector", "dense_vector", isWanted, json::denseVectors);
    json.section("sparse_vector", "sparse_vector", isWanted, json::sparseVectors);
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
    figures.number("index_total", of(ShardFigure.INDEXED));
    figures.millis("index_time", of(ShardFigure.INDEX_MILLIS));
    figures.number("index_current", of(ShardFigure.INDEX_CURRENT));
    figures.number("index_failed", of(ShardFigure.INDEX_FAILED));
    figures.number("index_failed_due_to_version_conflict", of(ShardFigure.VERSION_CONFLICTS));
    figures.number("delete_total", of(ShardFigure.DELETED));
    figures.millis("delete_time", of(ShardFigure.DELETE_MILLIS));
    figures.number("delete_current", of(ShardFigure.DELETE_CURRENT));
    figures.number("noop_update_total", of(ShardFigure.NOOP_UPDATES));
    figures.flag("is_throttled", false); // writes wait for room, or are refused
    figures.millis("throttle_time", 0);
    figures.decimal("write_load", stats.load());
    figures.decimal("recent_write_load", stats.recentLoad());
    figures.decimal("peak_write_load", stats.peakLoad());
  }

  private long of(ShardFigure figure) {
    return stats.figure(figure);
  }

  private void get() throws IOException {
    figures.number("total", of(ShardFigure.GETS));
    figures.millis("time", of(ShardFigure.GET_MILLIS));
    figures.number("exists_total", of(ShardFigure.GETS_FOUND));
    figures.millis("exists_time", of(ShardFigure.GET_FOUND_MILLIS));
    figures.number("missing_total", of(ShardFigure.GETS) - of(ShardFigure.GETS_FOUND));
    figures.millis("missing_time", of(ShardFigure.GET_MILLIS) - of(ShardFigure.GET_FOUND_MILLIS));
    figures.number("current", of(ShardFigure.GET_CURRENT));
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

  private void searched(SearchFigures of) throws IOException {
    phase("query", of.query());
    figures.number("query_failure", of.query().failures());
    phase("fetch", of.fetch());
    figures.number("fetch_failure", of.fetch().failures());
    phase("scroll", of.scroll());
    phase("suggest", of.suggest());
    figures.decimal("recent_search_load", of.load());
  }

  private void phase(String name, PhaseFigures of) throws IOException {
    figures.number(name + "_total", of.total());
    figures.millis(name + "_time", of.millis());
    figures.number(name + "_current", of.current());
  }

  /// Nothing is warmed that Elasticsearch would count: copies are warmed by blobs.
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
    detail.ofFields().writeFieldData(figures, detail.fields());
  }

  private void completion() throws IOException {
    detail.ofFields().writeCompletion(figures, detail.fields());
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
    long bulks = of(ShardFigure.BULKS);
    figures.number("total_operations", bulks);
    figures.millis("total_time", of(ShardFigure.BULK_MILLIS));
    figures.bytes("total_size", of(ShardFigure.BULK_BYTES));
    figures.millis("avg_time", of(ShardFigure.BULK_MILLIS) / Math.max(1, bulks));
    figures.bytes("avg_size", of(ShardFigure.BULK_BYTES) / Math.max(1, bulks));
  }

  private void denseVectors() throws IOException {
    figures.number("value_count", detail.ofFields().denseVectors());
  }

  private void sparseVectors() throws IOException {
    figures.number("value_count", detail.ofFields().sparseVectors());
  }

  private void merges() throws IOException {
    figures.number("current", of(ShardFigure.CURRENT_MERGES));
    figures.number("current_docs", of(ShardFigure.CURRENT_MERGE_DOCUMENTS));
    figures.bytes("current_size", of(ShardFigure.CURRENT_MERGE_BYTES));
    figures.number("total", of(ShardFigure.MERGES));
    figures.millis("total_time", of(ShardFigure.MERGE_MILLIS));
    figures.number("total_docs", of(ShardFigure.MERGED_DOCUMENTS));
    figures.bytes("total_size", of(ShardFigure.MERGED_BYTES));
    figures.millis("total_stopped_time", 0); // none is stopped, nor slowed down
    figures.millis("total_throttled_time", 0);
    figures.bytes("total_auto_throttle", 0);
  }

  private void refresh() throws IOException {
    figures.number("total", of(ShardFigure.REFRESHES));
    figures.millis("total_time", of(ShardFigure.REFRESH_MILLIS));
    figures.number("external_total", of(ShardFigure.REFRESHES));
    figures.millis("external_total_time", of(ShardFigure.REFRESH_MILLIS));
    figures.number("listeners", 0);
  }

  private void flush() throws IOException {
    figures.number("total", of(ShardFigure.FLUSHES));
    figures.number("periodic", 0);
    figures.millis("total_time", of(ShardFigure.FLUSH_MILLIS));
    figures.millis("total_time_excluding_waiting_on_lock", of(ShardFigure.FLUSH_MILLIS));
  }

  private void segments() throws IOException {
    figures.number("count", stats.segments());
    figures.bytes("memory", 0);
    for (String part : MAPPED) {
      figures.bytes(part, 0);
    }
    figures.bytes("index_writer_memory", of(ShardFigure.WRITER_BYTES));
    figures.bytes("version_map_memory", of(ShardFigure.VERSION_MAP_BYTES));
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
    figures.number("operations", of(ShardFigure.LOG_OPERATIONS));
    figures.bytes("size", of(ShardFigure.LOG_BYTES));
    figures.number("uncommitted_operations", of(ShardFigure.LOG_OPERATIONS));
    figures.bytes("uncommitted_size", of(ShardFigure.LOG_BYTES));
    figures.number("earliest_last_modified_age", 0);
  }
}
