package dev.holdfast.simulation.fortnight;

import dev.holdfast.world.Chance;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Ids;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/// A world whose time passes when somebody says so, and whose names and chance come from a seed.
final class FortnightWorld implements Clock {
  private static final long START = 1_767_225_600_000L;

  private final Random random;
  private long millis = START;
  private long names;

  FortnightWorld(Random random) {
    this.random = random;
  }

  World world(Tasks tasks) {
    return new World(this, FortnightWorld::sleep, new SeededIds(), new SeededChance(), tasks);
  }

  private static void sleep(Duration duration) {
    throw new IllegalStateException("nobody sleeps here: " + duration);
  }

  void pass(long more) {
    millis += more;
  }

  long hours() {
    return (millis - START) / StreamPlan.HOUR;
  }

  String text() {
    return Instant.ofEpochMilli(millis).toString();
  }

  @Override
  public long nanoTime() {
    return millis * 1_000_000;
  }

  @Override
  public long epochMillis() {
    return millis;
  }

  private final class SeededIds implements Ids {
    @Override
    public String documentId() {
      return "d" + names++;
    }

    @Override
    public String uuid() {
      return "u" + names++;
    }
  }

  private final class SeededChance implements Chance {
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
}
