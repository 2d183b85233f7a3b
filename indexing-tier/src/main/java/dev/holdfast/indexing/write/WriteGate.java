package dev.holdfast.indexing.write;

import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.time.Duration;

/// Lets writes into a shard until it is given away: then those inside end, and none comes in.
public final class WriteGate {
  private static final Duration POLL = Duration.ofMillis(1);

  private final World world;

  // Guarded by this.
  private int inside;
  private boolean isShut;
  private long lastNanos;
  private long shutNanos;

  public WriteGate(World world) {
    this.world = world;
    this.lastNanos = world.clock().nanoTime();
  }

  /// False when the gate is shut.
  public synchronized boolean enter() {
    if (isShut) {
      return false;
    }
    inside++;
    return true;
  }

  public synchronized void leave() {
    inside--;
    lastNanos = world.clock().nanoTime();
  }

  /// How long nobody has been inside.
  public synchronized Duration idle() {
    return inside > 0 ? Duration.ZERO : Duration.ofNanos(world.clock().nanoTime() - lastNanos);
  }

  /// Shuts the gate and waits until nobody is inside.
  ///
  /// @param hurry called once, and again and again meanwhile: what those inside wait for
  /// @return false when somebody still was after that time: the gate is open again
  public boolean shut(Duration max, Runnable hurry) throws InterruptedException {
    synchronized (this) {
      isShut = true;
      shutNanos = world.clock().nanoTime();
    }
    boolean isEmpty = false;
    try {
      isEmpty =
          Await.until(
              world,
              max,
              POLL,
              () -> {
                hurry.run(); // also for those that have ended and did not wait
                return isEmpty();
              });
    } finally {
      if (!isEmpty) {
        open();
      }
    }
    return isEmpty;
  }

  /// When it was shut last.
  public synchronized long shutNanos() {
    return shutNanos;
  }

  public synchronized boolean isShut() {
    return isShut;
  }

  public synchronized void open() {
    isShut = false;
  }

  private synchronized boolean isEmpty() {
    return inside == 0;
  }
}
