package dev.holdfast.world.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class ThreadPriorityTest {
  private static final Path SELF = Path.of("/proc/thread-self/stat");

  /// Behind the name in brackets, which may have spaces in it.
  private static final int NICE = 16;

  private final World world = RealWorld.create();

  @AfterEach
  void close() {
    world.tasks().close();
  }

  /// Else this test never ends: the work computes until the kernel shows that its thread has less.
  @Test
  void whatHasHadAProcessorForLongGoesOnWithLessAndItsThreadDoesNothingElse() throws Exception {
    WorkPool pool = world.tasks().fairPool("fair", 1, 10, Duration.ofMillis(10));
    long before = ThreadPriority.lowered();
    int usual = nice();

    Thread heavy =
        pool.call(() -> {
          while (nice() == usual) {
            Thread.onSpinWait();
          }
          assertThat(nice()).isEqualTo(Math.min(19, usual + ThreadPriority.STEP));
          return Thread.currentThread();
        });
    int small = pool.call(ThreadPriorityTest::nice);
    heavy.join();

    assertThat(small).isEqualTo(usual);
    assertThat(heavy.getName()).isEqualTo("fair-1-lowered");
    assertThat(ThreadPriority.lowered()).isGreaterThan(before);
    assertThat(pool.completed()).isEqualTo(2);
  }

  /// On a machine that is busy, small work takes long, too.
  @Test
  void whatOnlyWaitsKeepsItsPriority() throws Exception {
    PoolThread[] thread = new PoolThread[1];
    CountDownLatch isWaiting = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    int[] nice = new int[1];
    thread[0] =
        new PoolThread(
            () -> {
              isWaiting.countDown();
              try {
                mayEnd.await();
                nice[0] = nice();
              } catch (InterruptedException | IOException e) {
                throw new IllegalStateException(e);
              }
            },
            "waits");
    thread[0].start();
    isWaiting.await();
    while (thread[0].getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    RunningWork work = new RunningWork(thread[0]);
    work.look(1);
    work.look(1);
    work.end();
    work.look(0); // it has ended: what its thread does now is somebody else's
    mayEnd.countDown();
    thread[0].join();

    assertThat(nice[0]).isEqualTo(nice());
    assertThat(thread[0].isLowered()).isFalse();
  }

  /// The failure of one piece of work is that of whoever asked for it, and ends no thread.
  @Test
  void aThreadThatWasNotLoweredStays() throws Exception {
    WorkPool pool = world.tasks().fairPool("fair", 1, 10, Duration.ofMinutes(1));
    Thread first = pool.call(Thread::currentThread);
    Tasks.Task other = world.tasks().start("other", () -> pool.call(() -> 1));
    other.join();
    assertThat(pool.call(Thread::currentThread)).isSameAs(first);
  }

  private static int nice() throws IOException {
    String stat = Files.readString(SELF);
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICE]);
  }
}
