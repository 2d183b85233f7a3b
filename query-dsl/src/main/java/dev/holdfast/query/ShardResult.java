package dev.holdfast.query;

import dev.holdfast.query.aggregation.Results;
import java.util.List;

/// What the query phase of one shard found.
///
/// @param hits best first, at most `from + size`
/// @param total documents that match; -1 when not tracked
/// @param isTotalExact whether `total` is exact rather than a lower bound
/// @param maxScore NaN when no score was computed
/// @param aggregations partial
/// @param isTimedOut whether it stopped because its time was over: everything is partial then
/// @param isTerminatedEarly whether `terminate_after` stopped it
public record ShardResult(
    List<ShardHit> hits,
    long total,
    boolean isTotalExact,
    float maxScore,
    Results aggregations,
    boolean isTimedOut,
    boolean isTerminatedEarly) {}
