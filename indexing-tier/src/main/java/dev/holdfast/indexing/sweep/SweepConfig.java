package dev.holdfast.indexing.sweep;

import java.time.Duration;

/// When the store is looked through for what nobody owns (§6).
///
/// @param every how often
/// @param delay how long a new leader waits before its first sweep
/// @param grace an orphan is taken away when it has been one for so long
/// @param trash what was taken away is kept in the trash for so long
public record SweepConfig(Duration every, Duration delay, Duration grace, Duration trash) {
  private static final Duration TRASH = Duration.ofDays(1);

  public SweepConfig(Duration every, Duration delay, Duration grace) {
    this(every, delay, grace, TRASH);
  }

  public static SweepConfig defaults() {
    return new SweepConfig(Duration.ofHours(1), Duration.ofMinutes(5), Duration.ofMinutes(10));
  }
}
