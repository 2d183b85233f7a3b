package dev.holdfast.world.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.World;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RealTasksTest {
  /// As in a process whose package was replaced: a class that it has not loaded yet is gone.
  @Test
  void whatIsRepeatedOutlivesAnErrorOfOneRun() throws Exception {
    World world = RealWorld.create();
    CountDownLatch runs = new CountDownLatch(3);
    try {
      var _ =
          world
              .tasks()
              .repeat(
                  "broken",
                  Duration.ofMillis(1),
                  () -> {
                    runs.countDown();
                    throw new NoClassDefFoundError("gone");
                  });

      assertThat(runs.await(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      world.tasks().close();
    }
  }
}
