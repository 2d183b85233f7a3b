package dev.holdfast.objectstore.retry;

import dev.holdfast.world.Chance;
import java.time.Duration;

/// How long to wait before the next try: anything from nothing to a bound that doubles ("full
/// jitter"), so that many clients of a store that recovers do not come back at once.
final class Backoff {
  static final long FIRST_MILLIS_MAX = 50;
  static final long MILLIS_MAX = 5_000;

  /// Of the cluster's lease and state: a leader that waited longer after the store is back would be
  /// taken for dead, and members would not answer meanwhile (decision 021).
  static final long CLUSTER_MILLIS_MAX = 500;

  private static final String CLUSTER = "cluster/";

  private final Chance chance;
  private final long millisMax;
  private long boundMillis = FIRST_MILLIS_MAX;

  Backoff(Chance chance, long millisMax) {
    this.chance = chance;
    this.millisMax = millisMax;
  }

  /// @param key of the object, or the prefix of those, that is asked for
  static Backoff of(String key, Chance chance) {
    return new Backoff(chance, key.startsWith(CLUSTER) ? CLUSTER_MILLIS_MAX : MILLIS_MAX);
  }

  Duration next() {
    Duration wait = Duration.ofNanos((long) (chance.nextDouble() * boundMillis * 1e6));
    boundMillis = Math.min(millisMax, 2 * boundMillis);
    return wait;
  }
}
