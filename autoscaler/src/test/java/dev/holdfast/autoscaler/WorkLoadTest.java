package dev.holdfast.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkLoadTest {
  private static WorkLoad after(int seconds, double busy, double queued) {
    WorkLoad load = new WorkLoad();
    for (int second = 0; second < seconds; second++) {
      load.sample(busy, queued, 4, 1);
    }
    return load;
  }

  @Test
  void queuedWorkThatIsSoonDoneAsksForNoMoreThanTheThreads() {
    assertThat(after(60, 4, 40).load()).isEqualTo(4, within(0.01));
  }

  @Test
  void whatTakesLongerIsAddedToThreadsTwiceAtMost() {
    assertThat(after(60, 4, 40 + 120).load()).isEqualTo(5, within(0.01));
    WorkLoad most = after(600, 400, Double.POSITIVE_INFINITY);
    assertThat(most.load()).isEqualTo(12, within(0.01));
    assertThat(new NodeLoad("n", most.load(), 4, Duration.ZERO).isCredible()).isTrue();
  }

  @Test
  void itRisesFastAndFallsSlowly() {
    WorkLoad load = after(10, 4, 0);
    assertThat(load.load()).isGreaterThan(3.5);
    for (int second = 0; second < 10; second++) {
      load.sample(0, 0, 4, 1);
    }
    assertThat(load.load()).isBetween(2.0, 3.0);
  }

  @Test
  void samplesMayBeFarApart() {
    WorkLoad once = new WorkLoad();
    once.sample(4, 0, 4, 10);
    assertThat(once.load()).isEqualTo(after(10, 4, 0).load(), within(1e-9));
  }

  @Test
  void nothingOddIsTold() {
    WorkLoad load = after(1, -5, -7);
    assertThat(load.load()).isZero();
    load.sample(Double.NaN, Double.NaN, 4, Double.NaN);
    assertThat(load.load()).isBetween(0.0, 12.0);
    load.sample(2, 0, 0, 1);
    assertThat(load.load()).isZero();
  }
}
