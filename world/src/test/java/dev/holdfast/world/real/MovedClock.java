package dev.holdfast.world.real;

import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import java.util.function.LongSupplier;

/// Worlds whose time a test moves; waits take as long as ever.
public final class MovedClock {
  private MovedClock() {}

  /// @param aheadMillis by how much the wall clock is ahead, each time that it is read
  public static World calendar(LongSupplier aheadMillis) {
    return world(() -> 0, aheadMillis);
  }

  /// @param aheadNanos by how much longer everything took, each time that somebody looks
  public static World later(LongSupplier aheadNanos) {
    return world(aheadNanos, () -> 0);
  }

  private static World world(LongSupplier aheadNanos, LongSupplier aheadMillis) {
    World real = RealWorld.create();
    Clock clock =
        new Clock() {
          @Override
          public long nanoTime() {
            return real.clock().nanoTime() + aheadNanos.getAsLong();
          }

          @Override
          public long epochMillis() {
            return real.clock().epochMillis() + aheadMillis.getAsLong();
          }
        };
    return new World(clock, real.sleeper(), real.ids(), real.chance(), real.tasks(), real.memory());
  }
}
