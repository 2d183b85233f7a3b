package dev.holdfast.scrub;

import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.time.Duration;

/// Lets so many bytes a second pass. Of one thread.
public final class ByteRate {
  /// A debt smaller than this is not worth a sleep.
  private static final long NAP_NANOS = 5_000_000;

  private final World world;
  private final double bytesASecond;
  private long nextNanos;

  /// @param bytesASecond 0 for no limit
  public ByteRate(World world, double bytesASecond) {
    this.world = world;
    this.bytesASecond = bytesASecond;
    this.nextNanos = world.clock().nanoTime();
  }

  /// Waits until so many more bytes may be read.
  public void take(long bytes) throws InterruptedException {
    if (bytesASecond <= 0) {
      return;
    }
    long nowNanos = world.clock().nanoTime();
    if (nextNanos - nowNanos > NAP_NANOS) {
      Await.pause(world, Duration.ofNanos(nextNanos - nowNanos));
    }
    nextNanos = Math.max(nextNanos, nowNanos) + (long) (bytes / bytesASecond * 1e9);
  }
}
