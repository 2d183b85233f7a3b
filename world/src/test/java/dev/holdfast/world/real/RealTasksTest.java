package dev.holdfast.world.real;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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

  /// Of a file that an interrupt closes, as when a node stops: nothing has failed.
  @Test
  void whatIsCancelledTellsOfNoFailure() throws Exception {
    World world = RealWorld.create();
    CountDownLatch hasBegun = new CountDownLatch(1);
    Logger log = (Logger) LoggerFactory.getLogger(Tasks.class);
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.start();
    log.addAppender(told);
    try {
      Tasks.Task task =
          world.tasks().repeat("writer", Duration.ofMillis(1), () -> interrupted(hasBegun));
      hasBegun.await();
      task.cancel();
      task.join();
    } finally {
      log.detachAppender(told);
      world.tasks().close();
    }

    assertThat(told.list).noneMatch(event -> event.getLevel() == Level.ERROR);
  }

  /// As of a watch that looks ten times a second at a store that gives wrong answers.
  @Test
  void whatFailsAgainAndAgainIsToldByPowersOfTwo() throws Exception {
    World world = RealWorld.create();
    CountDownLatch isWell = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    Logger log = (Logger) LoggerFactory.getLogger(Tasks.class);
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.start();
    log.addAppender(told);
    try {
      Tasks.Task task =
          world.tasks().repeat("watch", Duration.ofMillis(1), () -> failUntil(101, runs, isWell));
      assertThat(isWell.await(30, TimeUnit.SECONDS)).isTrue();
      task.cancel();
      task.join();
    } finally {
      log.detachAppender(told);
      world.tasks().close();
    }

    assertThat(told.list)
        .filteredOn(event -> event.getLevel() == Level.ERROR)
        .extracting(ILoggingEvent::getFormattedMessage)
        .as("runs 1, 2, 4 … 64, and the first of another class")
        .hasSize(8)
        .contains("repeated task failed, will run again [name=watch, times=7]")
        .contains("repeated task failed, will run again [name=watch, times=64]");
    assertThat(told.list)
        .filteredOn(event -> event.getLevel() == Level.INFO)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("repeated task succeeded again [name=watch, failures=100]");
  }

  /// Fails before the run of that number, the seventh time in another way.
  private static void failUntil(int run, AtomicInteger runs, CountDownLatch isWell)
      throws IOException {
    int now = runs.incrementAndGet();
    if (now == 7) {
      throw new IllegalStateException("the seventh");
    }
    if (now < run) {
      throw new IOException("no answer [run=" + now + "]");
    }
    if (now > run) { // the run before is told of
      isWell.countDown();
    }
  }

  private static void interrupted(CountDownLatch hasBegun) throws IOException {
    hasBegun.countDown();
    try {
      Thread.sleep(Duration.ofMinutes(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    }
  }
}
