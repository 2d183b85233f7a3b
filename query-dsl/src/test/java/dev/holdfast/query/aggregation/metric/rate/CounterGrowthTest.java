package dev.holdfast.query.aggregation.metric.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.world.Reservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/// What a counter gains is what was counted, however its measurements come and are cut into times.
final class CounterGrowthTest {
  private record Measured(double millis, double value) {}

  private static CounterGrowth of(List<Measured> measured, Random random) {
    List<Measured> shuffled = new ArrayList<>(measured);
    Collections.shuffle(shuffled, random);
    CounterSamples samples = new CounterSamples(Reservation.ofHeap());
    shuffled.forEach(one -> samples.add(one.millis, one.value));
    CounterGrowth growth = samples.growth();
    assertThat(growth).isNotNull();
    return growth;
  }

  @RepeatedTest(50)
  void gainsWhatWasCounted(RepetitionInfo seed) {
    // given: a counter that begins anew now and then, right after a measurement
    Random random = new Random(seed.getCurrentRepetition());
    List<Measured> measured = new ArrayList<>();
    double value = random.nextInt(100);
    for (int i = 0; i < 40; i++) {
      measured.add(new Measured(1000.0 * i, value));
      if (random.nextInt(6) == 0) {
        value = 0;
      }
      value += 1 + random.nextInt(50);
    }
    // A reset after which more was counted than before cannot be seen.
    double counted = 0;
    for (int i = 1; i < measured.size(); i++) {
      double before = measured.get(i - 1).value;
      double gained = measured.get(i).value - before;
      counted += gained < 0 ? measured.get(i).value : gained;
    }
    // when: in three times, merged in any order
    int first = 1 + random.nextInt(20);
    int second = first + 1 + random.nextInt(15);
    CounterGrowth a = of(measured.subList(0, first), random);
    CounterGrowth b = of(measured.subList(first, second), random);
    CounterGrowth c = of(measured.subList(second, measured.size()), random);
    CounterGrowth whole = of(measured, random);
    // then
    assertThat(whole.in(39_000)).isCloseTo(counted, within(1e-6));
    assertThat(a.merge(b).merge(c)).isEqualTo(whole);
    assertThat(c.merge(b).merge(a)).isEqualTo(whole);
    assertThat(of(measured.subList(0, 1), random).in(1000)).isNaN();
  }
}
