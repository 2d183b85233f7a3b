package dev.holdfast.search.execution;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.SlowThreshold;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.metric.Histogram;
import dev.holdfast.world.trace.Cause;
import java.util.Objects;
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

  /// Shown as a part of the trace of its search.
  static <T, X extends Exception> T traced(
      String phase, @Nullable SearchTarget target, Cause.Work<T, X, RuntimeException> work)
      throws X {
    return Cause.<T, X, RuntimeException>span(
        phase,
        () -> {
          if (target != null) {
            Cause.note("holdfast.shard", target.shard().toString());
          }
          return work.run();
        });
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
    Level level = index == null ? null : SlowThreshold.reached(index, THRESHOLD + phase, nanos);
    if (level != null) {
      Cause cause = Cause.current();
      log.atLevel(level)
          .addKeyValue("event.duration", nanos)
          .addKeyValue("elasticsearch.slowlog.id", cause.opaqueId())
          .addKeyValue("elasticsearch.slowlog.took_millis", nanos / 1_000_000)
          .addKeyValue("elasticsearch.slowlog.message", shard.toString())
          .addKeyValue("elasticsearch.slowlog.source", source.body())
          .log(
              "slow {} [shard={}, took_millis={}, {}={}, x_opaque_id={}, trace_id={}, source={}]",
              phase,
              shard,
              nanos / 1_000_000,
              counted,
              count,
              Objects.requireNonNullElse(cause.opaqueId(), ""),
              Objects.requireNonNullElse(cause.traceId(), ""),
              source.body());
    }
  }
}
