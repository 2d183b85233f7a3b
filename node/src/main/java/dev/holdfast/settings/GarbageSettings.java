package dev.holdfast.settings;

import java.time.Duration;

/// When a node deletes what nobody needs (§6), and has copied what it only reads in a snapshot.
///
/// @param grace from nobody needing a blob to its deletion
/// @param sweepEvery how often the leader looks for orphans
/// @param sweepDelay how long a new leader waits before it first does
/// @param trash how long what the sweep took away is kept
/// @param clockDifference a clock that differs by more from the store's deletes nothing by its age
/// @param copyDelay how long a restored shard is searched before its blobs are copied
public record GarbageSettings(
    Duration grace,
    Duration sweepEvery,
    Duration sweepDelay,
    Duration trash,
    Duration clockDifference,
    Duration copyDelay) {
  static GarbageSettings defaults() {
    return new GarbageSettings(
        Duration.ofMinutes(10),
        Duration.ofHours(1),
        Duration.ofMinutes(5),
        Duration.ofDays(1),
        Duration.ofMinutes(5),
        Duration.ofSeconds(2));
  }

  /// The same with another grace.
  GarbageSettings withGrace(Duration longer) {
    return new GarbageSettings(longer, sweepEvery, sweepDelay, trash, clockDifference, copyDelay);
  }
}
