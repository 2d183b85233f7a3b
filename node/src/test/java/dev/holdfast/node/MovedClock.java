package dev.holdfast.node;

import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.function.LongSupplier;

/// Worlds whose calendar a test moves; waits take as long as ever.
public final class MovedClock {
  private MovedClock() {}

  /// @param aheadMillis by how much the wall clock is ahead, each time that it is read
  public static World world(LongSupplier aheadMillis) {
    World real = RealWorld.create();
    Clock clock =
        new Clock() {
          @Override
          public long nanoTime() {
            return real.clock().nanoTime();
          }

          @Override
          public long epochMillis() {
            return real.clock().epochMillis() + aheadMillis.getAsLong();
          }
        };
    return new World(clock, real.sleeper(), real.ids(), real.chance(), real.tasks(), real.memory());
  }
}
