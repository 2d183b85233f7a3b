package dev.holdfast.search.execution;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.query.TimeSpan;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.metric.Histogram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// How long the phases of searches take on the shards of this node, and the slow log of each index:
/// `index.search.slowlog.threshold.{query,fetch}.{warn,info,debug,trace}`. Thread-safe.
public final class SearchPhases {
  private static final String THRESHOLD = "index.search.slowlog.threshold.";
  private static final Logger QUERY = LoggerFactory.getLogger("index.search.slowlog.query");
  private static final Logger FETCH = LoggerFactory.getLogger("index.search.slowlog.fetch");

  /// The dearest first.
  private static final Level[] LEVELS = {Level.WARN, Level.INFO, Level.DEBUG, Level.TRACE};

  private final Metadata metadata;
  private final Histogram querySeconds = Histogram.ofSeconds();
  private final Histogram fetchSeconds = Histogram.ofSeconds();

  SearchPhases(Metadata metadata) {
    this.metadata = metadata;
  }

  /// Of a shard each.
  public Histogram.Snapshot querySeconds() {
    return querySeconds.snapshot();
  }

  /// Of a shard each.
  public Histogram.Snapshot fetchSeconds() {
    return fetchSeconds.snapshot();
  }

  void queried(ShardId shard, long nanos, SearchSource source, long total) {
    querySeconds.recordNanos(nanos);
    log(QUERY, "query", shard, nanos, "total_hits", total, source);
  }

  void fetched(ShardId shard, long nanos, SearchSource source, int hits) {
    fetchSeconds.recordNanos(nanos);
    log(FETCH, "fetch", shard, nanos, "hits", hits, source);
  }

  private void log(
      Logger log,
      String phase,
      ShardId shard,
      long nanos,
      String counted,
      long count,
      SearchSource source) {
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    Level level = index == null ? null : level(index, phase, nanos);
    if (level != null) {
      log.atLevel(level)
          .log(
              "slow {} [shard={}, took_millis={}, {}={}, source={}]",
              phase,
              shard,
              nanos / 1_000_000,
              counted,
              count,
              source.body());
    }
  }

  private static @Nullable Level level(IndexMetadata index, String phase, long nanos) {
    for (Level level : LEVELS) {
      String name = THRESHOLD + phase + "." + level.name().toLowerCase(java.util.Locale.ROOT);
      String set = index.setting(name, "-1");
      if (!set.equals("-1") && nanos >= millis(name, set) * 1_000_000) {
        return level;
      }
    }
    return null;
  }

  /// What was set before values were checked counts as not set.
  private static long millis(String name, String set) {
    try {
      long millis = set.equals("0") ? 0 : TimeSpan.millis(name, set);
      return millis < 0 ? Long.MAX_VALUE / 1_000_000 : millis;
    } catch (Refusal e) {
      return Long.MAX_VALUE / 1_000_000;
    }
  }
}
