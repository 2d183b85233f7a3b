package dev.holdfast.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.real.RealWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client knows a task before the task has begun to work.
@Timeout(10)
final class RunningTaskTest {
  @Test
  void hearsOfThePaceThatItWasGivenBeforeItCouldHear() {
    RunningTask task = task("indices:data/write/update/byquery");
    List<Float> told = new ArrayList<>();

    assertThat(task.throttle(2)).isTrue();
    task.isThrottledBy(told::add);
    assertThat(task.throttle(3)).isTrue();

    assertThat(told).containsExactly(2f, 3f);
  }

  @Test
  void doesNotWaitOnceItIsCancelled() {
    RunningTask task = task("indices:data/write/reindex");
    List<Float> told = new ArrayList<>();

    task.cancel();
    task.isThrottledBy(told::add);

    assertThat(told).containsExactly(Float.POSITIVE_INFINITY);
  }

  @Test
  void hasNoPaceUnlessItsActionHas() {
    assertThat(task("indices:data/read/search").throttle(1)).isFalse();
  }

  private static RunningTask task(String action) {
    return new RunningTask(new TaskId("node", 1), action, "", null, true, RealWorld.create());
  }
}
