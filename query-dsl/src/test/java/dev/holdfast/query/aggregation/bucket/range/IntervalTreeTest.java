package dev.holdfast.query.aggregation.bucket.range;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.aggregation.kernel.KeySet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class IntervalTreeTest {
  @Test
  void findsWhatALookAtEachFinds() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int count = random.nextInt(40);
      long[] firsts = random.longs(count, -20, 20).sorted().toArray();
      long[] ends = random.longs(count, -25, 25).toArray();
      if (count > 0 && random.nextBoolean()) {
        firsts[0] = Long.MIN_VALUE;
        ends[random.nextInt(count)] = Long.MAX_VALUE;
      }
      IntervalTree tree = new IntervalTree(firsts, ends);

      for (long value : new long[] {Long.MIN_VALUE, -20, -7, -1, 0, 3, 19, 24, Long.MAX_VALUE}) {
        List<Long> holding = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          if (firsts[i] <= value && (value < ends[i] || ends[i] == Long.MAX_VALUE)) {
            holding.add((long) i);
          }
        }
        assertThat(found(tree, value))
            .as("seed %d, %d in %s %s", seed, value, Arrays.toString(firsts), Arrays.toString(ends))
            .isEqualTo(holding);
      }
    }
  }

  private static List<Long> found(IntervalTree tree, long value) {
    KeySet found = new KeySet();
    tree.find(value, found);
    List<Long> places = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      places.add(found.get(i));
    }
    return places;
  }
}
