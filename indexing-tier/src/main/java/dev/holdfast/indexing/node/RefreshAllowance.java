package dev.holdfast.indexing.node;

import dev.holdfast.indexing.node.LifeConfig.ManualRefreshes;
import dev.holdfast.world.Clock;

/// What a node may spend on refreshes that clients ask for (§4.1): a budget that fills with time
/// and with the node's heap, and holds what one hour earns.
public final class RefreshAllowance {
  private final Clock clock;
  private final double perNano;
  private final double max;
  private double left;
  private long filledNanos;

  public RefreshAllowance(Clock clock, ManualRefreshes config, long heapBytes) {
    this.clock = clock;
    double shares = Math.max(1, (double) heapBytes / config.heap().bytes());
    this.perNano = shares / config.per().toNanos();
    this.max = perNano * config.within().toNanos();
    this.left = max;
    this.filledNanos = clock.nanoTime();
  }

  /// Whether one more is within the budget; it is spent then.
  public synchronized boolean tryTake() {
    long nowNanos = clock.nanoTime();
    left = Math.min(max, left + (nowNanos - filledNanos) * perNano);
    filledNanos = nowNanos;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
