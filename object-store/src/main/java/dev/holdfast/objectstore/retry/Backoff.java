package dev.holdfast.objectstore.retry;

import dev.holdfast.world.Chance;
import java.time.Duration;

/// How long to wait before the next try: anything from nothing to a bound that doubles ("full
/// jitter"), so that many clients of a store that recovers do not come back at once.
final class Backoff {
  static final long FIRST_MILLIS_MAX = 50;
  static final long MILLIS_MAX = 5_000;

  private final Chance chance;
  private long boundMillis = FIRST_MILLIS_MAX;

  Backoff(Chance chance) {
    this.chance = chance;
  }

  Duration next() {
    Duration wait = Duration.ofNanos((long) (chance.nextDouble() * boundMillis * 1e6));
    boundMillis = Math.min(MILLIS_MAX, 2 * boundMillis);
    return wait;
  }
}
