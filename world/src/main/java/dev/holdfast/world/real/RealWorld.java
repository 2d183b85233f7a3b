package dev.holdfast.world.real;

import dev.holdfast.world.Breakers;
import dev.holdfast.world.Chance;
import dev.holdfast.world.Clock;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.Ids;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/// The world of a real process: the JDK's clocks, random numbers and threads.
@FromTheWorld
public final class RealWorld {
  private RealWorld() {}

  public static World create() {
    RealClock clock = new RealClock();
    return new World(
        clock,
        duration -> Thread.sleep(duration),
        new RealIds(clock),
        new RealChance(),
        new RealTasks(),
        Breakers.of(new ProcessHeap(), Runtime.getRuntime().maxMemory()));
  }

  /// Threads beside those of a world, which end apart from them.
  public static Tasks threads() {
    return new RealTasks();
  }

  @FromTheWorld
  private static final class RealClock implements Clock {
    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public long epochMillis() {
      return System.currentTimeMillis();
    }

    @Override
    public Clock throughSuspension() {
      return BootTime.find().<Clock>map(BootClock::new).orElse(this);
    }
  }

  @FromTheWorld
  private record BootClock(LongSupplier nanos) implements Clock {
    @Override
    public long nanoTime() {
      return nanos.getAsLong();
    }

    @Override
    public long epochMillis() {
      return System.currentTimeMillis();
    }
  }

  @FromTheWorld
  private static final class RealChance implements Chance {
    @Override
    public long nextLong() {
      return ThreadLocalRandom.current().nextLong();
    }

    @Override
    public int nextInt(int bound) {
      return ThreadLocalRandom.current().nextInt(bound);
    }

    @Override
    public double nextDouble() {
      return ThreadLocalRandom.current().nextDouble();
    }
  }

  /// Document ids are 15 bytes: milliseconds (6 bytes), random bytes of this process (6), a counter
  /// (3, low bytes last). The time is that of the first id of a row, so that the ids of a row
  /// differ in their last four characters only: indices keep what they share once.
  private static final class RealIds implements Ids {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private static final int COUNT_MAX = 0xffffff;

    /// Ids of a row, and how long it goes on: ids are ordered by time roughly.
    private static final int ROW_MAX = 1 << 18;

    private static final long ROW_MILLIS_MAX = 10 * 60 * 1000;

    private final SecureRandom random = new SecureRandom();
    private final byte[] process = new byte[6];
    private final Clock clock;
    private int count = random.nextInt() & 0x3fffff;
    private int inRow = ROW_MAX;
    private long rowMillis;

    RealIds(Clock clock) {
      this.clock = clock;
      random.nextBytes(process);
    }

    @Override
    public synchronized String documentId() {
      count = (count + 1) & COUNT_MAX;
      long now = clock.epochMillis();
      if (count == 0) {
        begin(Math.max(rowMillis + 1, now)); // no pair of time and counter repeats
      } else if (inRow == ROW_MAX || now - rowMillis > ROW_MILLIS_MAX) {
        begin(Math.max(rowMillis, now)); // time never runs back
      }
      inRow++;
      byte[] id = new byte[15];
      for (int i = 0; i < 6; i++) {
        id[i] = (byte) (rowMillis >>> (40 - 8 * i));
        id[6 + i] = process[i];
      }
      id[12] = (byte) (count >>> 16);
      id[13] = (byte) (count >>> 8);
      id[14] = (byte) count;
      return BASE64.encodeToString(id);
    }

    private void begin(long millis) {
      rowMillis = millis;
      inRow = 0;
    }

    @Override
    public String uuid() {
      byte[] id = new byte[16];
      random.nextBytes(id);
      return BASE64.encodeToString(id);
    }
  }
}
