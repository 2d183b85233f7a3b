package dev.holdfast.query.aggregation.bucket.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.aggregation.kernel.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ClusterChainTest {
  private static final Results NONE = Results.NONE;

  @Test
  void theClosestNeighboursAreJoinedAsOneByOne() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<ClusterPartial.Cluster> clusters = clusters(random, 2 + random.nextInt(60), 100);
      int size = 1 + random.nextInt(20);

      assertThat(ClusterPartial.joined(clusters, size))
          .as("seed %d", seed)
          .isEqualTo(oneByOne(clusters, size));
    }
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.SECONDS)
  void veryManyAreJoinedSoon() {
    assertThat(ClusterPartial.joined(clusters(new Random(1), 200_000, 1 << 30), 10)).hasSize(10);
  }

  private static List<ClusterPartial.Cluster> clusters(Random random, int count, int bound) {
    List<ClusterPartial.Cluster> clusters = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double number = random.nextInt(bound);
      clusters.add(new ClusterPartial.Cluster(number, number, number, 1, NONE));
    }
    return clusters;
  }

  private static List<ClusterPartial.Cluster> oneByOne(
      List<ClusterPartial.Cluster> clusters, int size) {
    List<ClusterPartial.Cluster> joined = ClusterPartial.joined(clusters, clusters.size());
    while (joined.size() > size) {
      int closest = 0;
      for (int i = 0; i + 1 < joined.size(); i++) {
        if (distance(joined, i) < distance(joined, closest)) {
          closest = i;
        }
      }
      joined.set(closest, joined.get(closest).merge(joined.remove(closest + 1)));
    }
    return joined;
  }

  private static double distance(List<ClusterPartial.Cluster> clusters, int i) {
    return clusters.get(i + 1).mean() - clusters.get(i).mean();
  }
}
