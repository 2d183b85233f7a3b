package dev.holdfast.query.aggregation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.context.MovingFunctions;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class WideWindowTest {
  private static final Map<String, ToDoubleFunction<double[]>> FUNCTIONS =
      Map.of(
          "MovingFunctions.max(values)",
          MovingFunctions::max,
          "return MovingFunctions.min(values);",
          MovingFunctions::min,
          "MovingFunctions.sum( values )",
          MovingFunctions::sum,
          "MovingFunctions.unweightedAvg(values)",
          MovingFunctions::unweightedAvg,
          "MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))",
          values -> MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values)));

  @Test
  void saysTheSameAsEachWindowAlone() {
    Random random = new Random(42);
    double[] numbers =
        random.doubles(2_000).map(n -> 1e9 + Math.rint(n * 1e6) / 1e3 - 7e8 * n).toArray();
    Arrays.fill(numbers, 900, 1_300, 0.1);
    for (int window : new int[] {257, 300, 1_999, 5_000}) {
      for (int shift : new int[] {0, 1, 150, -3, 4_000}) {
        FUNCTIONS.forEach((script, alone) -> {
          WideWindow wide = Objects.requireNonNull(wide(script, window, numbers), script);
          for (int place = 0; place < numbers.length; place++) {
            int from = Math.clamp(place - window + (long) shift, 0, numbers.length);
            int to = Math.clamp(place + (long) shift, from, numbers.length);
            double expected = alone.applyAsDouble(Arrays.copyOfRange(numbers, from, to));
            double actual = wide.over(from, to);
            if (Double.isNaN(expected)) {
              assertThat(actual).as(script).isNaN();
            } else {
              assertThat(actual).as(script).isEqualTo(expected, within(1e-13 * Math.abs(expected)));
            }
          }
        });
      }
    }
  }

  @Test
  void whatItCannotSayIsLeftToTheScript() {
    double[] numbers = new double[1_000];
    assertThat(wide("MovingFunctions.max(values)", WideWindow.NARROW_MAX, numbers)).isNull();
    assertThat(wide("MovingFunctions.max(values) + 1", 500, numbers)).isNull();
    assertThat(wide("MovingFunctions.ewma(values, 0.3)", 500, numbers)).isNull();
    assertThat(wide("MovingFunctions.MAX(values)", 500, numbers)).isNull();
    for (double odd : new double[] {Double.NaN, Double.POSITIVE_INFINITY, 1e200}) {
      numbers[7] = odd;
      assertThat(wide("MovingFunctions.sum(values)", 500, numbers)).isNull();
    }
  }

  /// Half a million buckets, of which each has all before it in its window: 125 billion numbers.
  @Test
  @Timeout(20)
  void aWindowOfAllBucketsCostsNoMoreThanItsBuckets() {
    double[] numbers = new Random(1).doubles(500_000).toArray();
    String script = "MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))";
    WideWindow wide = Objects.requireNonNull(wide(script, numbers.length, numbers));
    double last = 0;
    for (int place = 1; place < numbers.length; place++) {
      last = wide.over(0, place);
    }
    assertThat(last).isEqualTo(Math.sqrt(1 / 12.0), within(0.01));
  }

  private static @Nullable WideWindow wide(String script, int window, double[] numbers) {
    return WideWindow.of(
        new ScriptSource(ScriptSource.PAINLESS, script, Map.of()), window, numbers);
  }
}
