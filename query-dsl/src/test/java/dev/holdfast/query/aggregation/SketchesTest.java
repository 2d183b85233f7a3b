package dev.holdfast.query.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.column.DistinctHashes;
import dev.holdfast.query.aggregation.metric.Quantiles;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Estimates stay near the truth, and do not depend on how the data was split.
final class SketchesTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 100, 3000, 3001, 20_000, 400_000})
  void distinctCountsAreExactUpToTheThresholdAndNearBeyond(int distinct) throws IOException {
    DistinctHashes whole = new DistinctHashes(3000);
    DistinctHashes left = new DistinctHashes(3000);
    DistinctHashes right = new DistinctHashes(3000);
    for (long i = 0; i < distinct; i++) {
      long hash = DistinctHashes.hash(i * 1000);
      whole.add(hash);
      (i % 3 == 0 ? left : right).add(hash);
      right.add(hash);
    }
    WireOutput bytes = new WireOutput();
    left.write(bytes);
    DistinctHashes merged = DistinctHashes.read(new WireInput(bytes.toArray()), 3000);
    merged.addAll(right);
    assertThat(merged.count()).isEqualTo(whole.count());
    if (distinct <= 3000) {
      assertThat(whole.count()).isEqualTo(distinct);
    } else {
      assertThat((double) whole.count()).isCloseTo(distinct, within(distinct * 0.025));
    }
  }

  @Test
  void quantilesOfManyNumbersAreNear() throws IOException {
    long seed = 42;
    Random random = new Random(seed);
    double[] numbers = random.doubles(200_000).map(x -> Math.exp(6 * x)).toArray();
    Quantiles[] parts = new Quantiles[4];
    Arrays.setAll(parts, i -> new Quantiles(100));
    for (int i = 0; i < numbers.length; i++) {
      parts[i % 4].add(numbers[i]);
    }
    WireOutput bytes = new WireOutput();
    parts[0].write(bytes);
    Quantiles all = Quantiles.read(new WireInput(bytes.toArray()), 100);
    for (int i = 1; i < 4; i++) {
      all.addAll(parts[i]);
    }
    Arrays.sort(numbers);
    for (double share : new double[] {0, 0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1}) {
      double expected = numbers[(int) Math.round(share * (numbers.length - 1))];
      double allowed = 0.03 * Math.max(0.1, 4 * share * (1 - share));
      double estimate = all.quantile(share);
      int rank = Arrays.binarySearch(numbers, estimate);
      double actual = (rank < 0 ? -rank - 1 : rank) / (double) numbers.length;
      assertThat(actual)
          .as("share " + share + " near " + expected)
          .isCloseTo(share, within(allowed));
      assertThat(all.share(expected)).isCloseTo(share, within(allowed));
    }
    assertThat(all.quantile(0)).isEqualTo(numbers[0]);
    assertThat(all.quantile(1)).isEqualTo(numbers[numbers.length - 1]);
  }
}
