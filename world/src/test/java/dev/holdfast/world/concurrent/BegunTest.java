package dev.holdfast.world.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Clock;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Work that is joined later.
@Timeout(30)
final class BegunTest {
  private final World real = RealWorld.create();

  @AfterEach
  void close() {
    real.tasks().close();
  }

  /// Threads, of which the last is known as long as somebody holds it.
  private static class Watched implements Tasks {
    private final Tasks tasks;
    private final boolean endsFirst;
    private WeakReference<Task> last = new WeakReference<>(null);

    /// @param endsFirst whether work has ended before its caller is told of its task
    Watched(Tasks tasks, boolean endsFirst) {
      this.tasks = tasks;
      this.endsFirst = endsFirst;
    }

    @Override
    public Task start(String name, Work work) {
      Task started = tasks.start(name, work);
      Task mine =
          new Task() {
            @Override
            public void cancel() {
              started.cancel();
            }

            @Override
            public void join() throws InterruptedException {
              started.join();
            }
          };
      last = new WeakReference<>(mine);
      if (endsFirst) {
        join(mine);
      }
      return mine;
    }

    private static void join(Task task) {
      try {
        task.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
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

    /// Whether nobody holds the last any more, which collections find out.
    boolean isLastForgotten() throws InterruptedException {
      Clock clock = RealWorld.create().clock();
      long startNanos = clock.nanoTime();
      while (last.get() != null && clock.nanoTime() - startNanos < 5_000_000_000L) {
        System.gc();
        Thread.sleep(10);
      }
      return last.get() == null;
    }
  }

  private World with(Tasks tasks) {
    return new World(real.clock(), real.sleeper(), real.ids(), real.chance(), tasks);
  }

  @Test
  void itsThreadIsForgottenWhenItHasEnded() throws Exception {
    for (boolean endsFirst : new boolean[] {true, false}) {
      Watched tasks = new Watched(real.tasks(), endsFirst);

      Begun<Integer> begun = Begun.of(with(tasks), "test", () -> 7);

      assertThat(begun.value()).isEqualTo(7);
      assertThat(tasks.isLastForgotten()).as("ended before it was told of: " + endsFirst).isTrue();
      Reference.reachabilityFence(begun);
    }
  }

  @Test
  void itsThreadIsForgottenWhenItHasFailed() throws Exception {
    Watched tasks = new Watched(real.tasks(), true);

    Begun<Integer> begun =
        Begun.of(
            with(tasks),
            "test",
            () -> {
              throw new IllegalStateException("failed");
            });

    assertThat(begun.isDone()).isTrue();
    assertThat(tasks.isLastForgotten()).isTrue();
    Reference.reachabilityFence(begun);
  }
}
