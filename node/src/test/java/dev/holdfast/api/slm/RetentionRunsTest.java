package dev.holdfast.api.slm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs of retention that are asked for while one runs.
final class RetentionRunsTest {
  private final World real = RealWorld.create();
  private final CountDownLatch released = new CountDownLatch(1);

  @TempDir Path folder;

  @Test
  void oneRunFollowsForAllWhoAskedWhileOneRan() throws Exception {
    World world =
        new World(
            real.clock(),
            real.sleeper(),
            real.ids(),
            real.chance(),
            new HeldRetention(real.tasks()),
            real.memory());
    try (NodeFixture node = new NodeFixture(folder, world)) {
      node.ok("POST", "/_slm/_execute_retention", "");
      node.ok("POST", "/_slm/_execute_retention", "");
      node.ok("POST", "/_slm/_execute_retention", "");
      released.countDown();
      assertThat(
              Await.<Exception>until(
                  real, Duration.ofSeconds(60), Duration.ofMillis(50), () -> runs(node) == 2))
          .isTrue();
      // Whoever asks once they have ended has one more, and the second was for two who asked.
      node.ok("POST", "/_slm/_execute_retention", "");
      assertThat(
              Await.<Exception>until(
                  real, Duration.ofSeconds(60), Duration.ofMillis(50), () -> runs(node) == 3))
          .isTrue();
    }
  }

  private static int runs(NodeFixture node) throws Exception {
    return node.json("/_slm/stats").path("retention_runs").asInt();
  }

  /// Real tasks, of which runs of retention wait until they are released.
  private final class HeldRetention implements Tasks {
    private final Tasks tasks;

    private HeldRetention(Tasks tasks) {
      this.tasks = tasks;
    }

    @Override
    public Task start(String name, Work work) {
      return name.equals("snapshot-retention")
          ? tasks.start(
              name,
              () -> {
                released.await();
                work.run();
              })
          : tasks.start(name, work);
    }

    @Override
    public Task repeat(String name, Duration pause, Work work) {
      return tasks.repeat(name, pause, work);
    }

    @Override
    public WorkPool pool(String name, int threads, int queueMax) {
      return tasks.pool(name, threads, queueMax);
    }

    @Override
    public WorkPool fairPool(String name, int threads, int queueMax, Duration longAfter) {
      return tasks.fairPool(name, threads, queueMax, longAfter);
    }

    @Override
    public void close() {
      tasks.close();
    }
  }
}
