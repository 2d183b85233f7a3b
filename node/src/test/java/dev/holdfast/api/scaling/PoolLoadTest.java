package dev.holdfast.api.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A real pool, a clock turned by hand.
@Timeout(60)
final class PoolLoadTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void whatWaitsForLongAsksForMoreThanThePoolHas() throws Exception {
    World world = RealWorld.create();
    WorkPool pool = world.tasks().pool("write", 1, 100);
    PoolLoad load = new PoolLoad(() -> List.of(pool), pool.threads(), 0);
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try {
      // given one thread that is busy with one piece of work, and another that waits
      var _ =
          world
              .tasks()
              .start(
                  "first",
                  () ->
                      pool.call(() -> {
                        running.countDown();
                        end.await();
                        return 1;
                      }));
      running.await();
      var _ = world.tasks().start("second", () -> pool.call(() -> 1));
      while (pool.queued() == 0) {
        Thread.onSpinWait();
      }

      // when the first goes on for half a minute
      for (int second = 1; second <= 5; second++) {
        load.sample(second * SECOND);
      }
      double soon = load.load();
      for (int second = 6; second <= 30; second++) {
        load.sample(second * SECOND);
      }

      // then the second will have waited for longer than is acceptable
      assertThat(soon).isBetween(0.5, 1.0);
      assertThat(load.load()).isEqualTo(1 + 20 / 120.0, within(0.02));
      assertThat(load.ageMillis(32 * SECOND)).isEqualTo(2000);
    } finally {
      end.countDown();
      pool.close();
      world.tasks().close();
    }
  }
}
