package dev.holdfast.translog;

import dev.holdfast.world.Clock;

/// A token bucket: so many requests a second in the long run, some saved up for a burst. Not
/// thread-safe.
final class RequestBudget {
  private final Clock clock;
  private final double perSecond;
  private final double burst;
  private double tokens;
  private long filledNanos;

  RequestBudget(Clock clock, double perSecond, int burst) {
    this.clock = clock;
    this.perSecond = perSecond;
    this.burst = burst;
    this.tokens = burst;
    this.filledNanos = clock.nanoTime();
  }

  /// Takes a token if there is one.
  boolean tryTake() {
    if (Double.isInfinite(perSecond)) {
      return true;
    }
    refill();
    if (tokens < 1) {
      return false;
    }
    tokens -= 1;
    return true;
  }

  /// Whether there is a token.
  boolean has() {
    refill();
    return Double.isInfinite(perSecond) || tokens >= 1;
  }

  /// Takes a token that is owed: the bucket may go below empty, down to minus its burst.
  void takeAnyway() {
    refill();
    tokens = Math.max(-burst, tokens - 1);
  }

  private void refill() {
    long now = clock.nanoTime();
    tokens = Math.min(burst, tokens + (now - filledNanos) * 1e-9 * perSecond);
    filledNanos = now;
  }
}
