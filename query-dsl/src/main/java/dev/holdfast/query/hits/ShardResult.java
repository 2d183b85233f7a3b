package dev.holdfast.query.hits;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.suggest.Suggester;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the query phase of one shard found.
///
/// @param hits best first, at most `from + size`
/// @param total documents that match; -1 when not tracked
/// @param isTotalExact whether `total` is exact rather than a lower bound
/// @param maxScore NaN when no score was computed
/// @param aggregations partial
/// @param isTimedOut whether it stopped because its time was over: everything is partial then
/// @param isTerminatedEarly whether `terminate_after` stopped it
/// @param suggestions by name; empty for none
/// @param profile where the time went, an element of `searches`; null when not asked for
public record ShardResult(
    List<ShardHit> hits,
    long total,
    boolean isTotalExact,
    float maxScore,
    Results aggregations,
    boolean isTimedOut,
    boolean isTerminatedEarly,
    Map<String, List<Suggester.Entry>> suggestions,
    @Nullable ObjectNode profile) {
  /// The same with a total that was known.
  public ShardResult counted(long known) {
    return new ShardResult(
        hits,
        known,
        true,
        maxScore,
        aggregations,
        isTimedOut,
        isTerminatedEarly,
        suggestions,
        profile);
  }

  /// This result, of which some is missing because the time was over.
  public ShardResult timedOut() {
    return new ShardResult(
        hits, total, false, maxScore, aggregations, true, isTerminatedEarly, suggestions, profile);
  }

  /// This result with what was suggested and how long it took.
  public ShardResult with(
      Map<String, List<Suggester.Entry>> suggested, @Nullable ObjectNode profiled) {
    return new ShardResult(
        hits,
        total,
        isTotalExact,
        maxScore,
        aggregations,
        isTimedOut,
        isTerminatedEarly,
        suggested,
        profiled);
  }
}
