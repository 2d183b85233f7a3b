package dev.holdfast.simulation.client;

import dev.holdfast.simulation.cluster.SimulatedNode;
import java.time.Duration;

/// A search that takes its time between opening its readers and reading from them.
final class SlowSearch {
  private final SimulatedNode node;
  private final Duration slowness;
  private boolean wasSlow;

  SlowSearch(SimulatedNode node, Duration slowness) {
    this.node = node;
    this.slowness = slowness;
  }

  boolean isCancelled() {
    if (!wasSlow && !slowness.isZero()) {
      wasSlow = true;
      try {
        node.process().world().sleeper().sleep(slowness);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return false;
  }
}
