package dev.holdfast.node.api;

import dev.holdfast.indexing.ShardStats;
import java.io.IOException;
import java.util.Set;
import java.util.function.Predicate;

/// Counters of shards in the shape of `_stats` and `_nodes/stats/indices`.
public final class ShardStatsJson {
  /// The sections there are.
  public static final Set<String> METRICS =
      new java.util.TreeSet<>(
          java.util.List.of(
              "docs",
              "store",
              "indexing",
              "get",
              "search",
              "merge",
              "refresh",
              "flush",
              "segments",
              "translog"));

  private final Figures figures;
  private final ShardStats stats;

  private ShardStatsJson(Figures figures, ShardStats stats) {
    this.figures = figures;
    this.stats = stats;
  }

  /// Writes the sections that `isWanted` names into the open object.
  public static void write(Figures figures, ShardStats stats, Predicate<String> isWanted)
      throws IOException {
    ShardStatsJson json = new ShardStatsJson(figures, stats);
    json.section("docs", "docs", isWanted, json::docs);
    json.section("store", "store", isWanted, json::store);
    json.section("indexing", "indexing", isWanted, json::indexing);
    json.section("get", "get", isWanted, json::get);
    json.section("merge", "merges", isWanted, json::merges);
    json.section("refresh", "refresh", isWanted, json::refresh);
    json.section("flush", "flush", isWanted, json::flush);
    json.section("segments", "segments", isWanted, json::segments);
    json.section("translog", "translog", isWanted, json::translog);
  }

  private void section(
      String metric, String member, Predicate<String> isWanted, Figures.Inside inside)
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
  }

  private void get() throws IOException {
    figures.number("total", stats.getOperations());
  }

  private void merges() throws IOException {
    figures.number("current", stats.currentMerges());
    figures.number("total", stats.merges());
    figures.millis("total_time", stats.mergeMillis());
    figures.number("total_docs", stats.mergedDocuments());
    figures.bytes("total_size", stats.mergedBytes());
    figures.millis("total_stopped_time", 0);
    figures.millis("total_throttled_time", 0);
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
    figures.number("periodic", stats.uploads());
    figures.millis("total_time", stats.flushMillis());
  }

  private void segments() throws IOException {
    figures.number("count", stats.segments());
    figures.bytes("memory", 0);
    figures.number("max_unsafe_auto_id_timestamp", -1);
  }

  private void translog() throws IOException {
    figures.number("operations", stats.translogOperations());
    figures.bytes("size", stats.translogBytes());
    figures.number("uncommitted_operations", stats.translogOperations());
    figures.bytes("uncommitted_size", stats.translogBytes());
    figures.number("earliest_last_modified_age", 0);
  }
}
