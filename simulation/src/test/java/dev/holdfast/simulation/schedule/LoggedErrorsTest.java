package dev.holdfast.simulation.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.world.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class LoggedErrorsTest {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedErrorsTest.class);

  /// What a simulated task makes known when it catches a failure and goes on.
  private static List<String> violations(Throwable failure) {
    List<String> violations = new ArrayList<>();
    Scheduler scheduler = new Scheduler(new SplittableRandom(1), null);
    SimulatedProcess process =
        new SimulatedProcess(scheduler, "p", new SplittableRandom(2), violations::add);
    List<String> ends = new ArrayList<>();
    var _ =
        process
            .world()
            .tasks()
            .start(
                "task",
                () -> {
                  LOG.debug("tried again [what={}]", "work", failure);
                  ends.add("end");
                });
    boolean _ = scheduler.run(() -> !ends.isEmpty(), Duration.ofSeconds(1));
    assertThat(ends).hasSize(1);
    return violations;
  }

  @Test
  void anErrorThatATaskCatchesIsAViolation() {
    assertThat(violations(new NoClassDefFoundError("gone")))
        .singleElement()
        .asString()
        .contains("tried again")
        .contains("NoClassDefFoundError: gone");
    assertThat(violations(new IllegalStateException("lost", new AssertionError("broken"))))
        .hasSize(1);
  }

  @Test
  void aBrokenPromiseThatATaskCatchesIsAViolation() {
    Throwable broken = catchThrowable(() -> Promise.keep(false, "it holds"));

    assertThat(violations(new IOException("failed", broken))).hasSize(1);
    assertThat(violations(new NullPointerException())).hasSize(1);
  }

  @Test
  void whatMayHappenIsNone() {
    assertThat(violations(new IllegalStateException("closed"))).isEmpty();
  }
}
