package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.real.RealWorld;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class TasksTest {
  @Test
  void whatWasNotedForATaskThatCannotBeStartedIsUndone() throws Exception {
    ThreadShortage tasks = new ThreadShortage(RealWorld.create().tasks());
    AtomicBoolean isRunning = new AtomicBoolean(true);
    CountDownLatch ran = new CountDownLatch(1);

    tasks.begin();
    assertThatThrownBy(() -> tasks.start("work", ran::countDown, () -> isRunning.set(false)))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(isRunning).isFalse();

    tasks.end();
    isRunning.set(true);
    tasks.start("work", ran::countDown, () -> isRunning.set(false)).join();
    assertThat(ran.getCount()).isZero();
    assertThat(isRunning).isTrue();
    tasks.close();
  }
}
