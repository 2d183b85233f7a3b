package dev.holdfast.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RecordingTasksTest {
  private final World world = RealWorld.create();
  private final RecordingTasks tasks = new RecordingTasks(world.tasks());

  @AfterEach
  void close() {
    tasks.close();
  }

  /// Else this test never ends: with one thread, the long piece waits for the short one.
  @Test
  void aFairPoolOfANodeIsFair() throws Exception {
    WorkPool pool = tasks.fairPool("fair", 1, 10, Duration.ofMillis(50));
    CountDownLatch isShortDone = new CountDownLatch(1);
    CountDownLatch isLongRunning = new CountDownLatch(1);
    Tasks.Task asking =
        tasks.start(
            "long",
            () ->
                pool.call(() -> {
                  isLongRunning.countDown();
                  isShortDone.await();
                  return 0;
                }));
    isLongRunning.await();
    int answer = pool.call(() -> 42);
    isShortDone.countDown();
    asking.join();
    assertThat(answer).isEqualTo(42);
  }

  @Test
  void poolsOfBothKindsAreShown() {
    WorkPool plain = tasks.pool("plain", 1, 10);
    WorkPool fair = tasks.fairPool("fair", 1, 10, Duration.ofMillis(50));
    assertThat(tasks.pools()).containsExactly(plain, fair);
  }
}
