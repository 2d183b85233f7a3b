package dev.holdfast.indexing;

import java.time.Duration;

/// When the store is looked through for what nobody owns (§6).
///
/// @param every how often
/// @param delay how long a new leader waits before its first sweep
/// @param grace an orphan is deleted when it has been one for so long
public record SweepConfig(Duration every, Duration delay, Duration grace) {
  public static SweepConfig defaults() {
    return new SweepConfig(Duration.ofHours(1), Duration.ofMinutes(5), Duration.ofMinutes(10));
  }
}
