package dev.holdfast.objectstore;

import dev.holdfast.world.Chance;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.Random;

/// Random numbers that a seed repeats.
public final class SeededChance implements Chance {
  private final Random random;

  public SeededChance(long seed) {
    random = new Random(seed);
  }

  /// The real world but for its chances; waits of the world are passed over when `waits` is false.
  public static World world(long seed, boolean waits) {
    World real = RealWorld.create();
    return new World(
        real.clock(),
        waits ? real.sleeper() : duration -> {},
        real.ids(),
        new SeededChance(seed),
        real.tasks());
  }

  @Override
  public long nextLong() {
    return random.nextLong();
  }

  @Override
  public int nextInt(int bound) {
    return random.nextInt(bound);
  }

  @Override
  public double nextDouble() {
    return random.nextDouble();
  }
}
