package dev.holdfast.scrub;

import dev.holdfast.world.ByteSize;
import java.time.Duration;

/// How a leader checks its store by and by.
///
/// @param rate bytes that are read in a second; 0 for no scrub
/// @param every from the beginning of one round to the next, when the first has ended by then
public record ScrubConfig(ByteSize rate, Duration every) {
  /// A hundred gigabytes in a day, for a quarter of a dollar of requests a month.
  public static ScrubConfig defaults() {
    return new ScrubConfig(ByteSize.mib(1), Duration.ofDays(7));
  }
}
