package dev.holdfast.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.autoscaler.SizeDecision.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What holds whatever the reports say.
class SizingLawsTest {
  private static final double[] ODD = {
    0,
    -1,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    1e18
  };

  private static double figure(Random random, double most) {
    return random.nextInt(4) == 0 ? ODD[random.nextInt(ODD.length)] : random.nextDouble() * most;
  }

  private static long bytes(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> -random.nextLong(1L << 40);
      case 1 -> Long.MAX_VALUE;
      case 2 -> Long.MIN_VALUE;
      default -> random.nextLong(1L << 40);
    };
  }

  private static Duration age(Random random) {
    return random.nextInt(4) == 0
        ? Duration.ofSeconds(random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE)
        : Duration.ofSeconds(random.nextInt(100));
  }

  private static TierNeeds anything(Random random) {
    List<NodeLoad> nodes = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      nodes.add(new NodeLoad("n" + i, figure(random, 12), figure(random, 8), age(random)));
    }
    return new TierNeeds(
        nodes,
        random.nextInt(8) - 1,
        figure(random, 5),
        bytes(random),
        bytes(random),
        bytes(random),
        age(random),
        random.nextBoolean());
  }

  private static List<NodeSize> sizes(Random random) {
    return random.nextBoolean() ? NodeSize.doubling() : List.of(NodeSize.ofCores(4));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void sizesStayWithinTheirLimitsAndGoDownByOneStepAndNeverOnDoubt(long seed) {
    Random random = new Random(seed);
    for (int run = 0; run < 60; run++) {
      int min = random.nextInt(4);
      int max = Math.max(1, min + random.nextInt(20));
      List<NodeSize> sizes = sizes(random);
      SizeLadder ladder = SizeLadder.of(sizes, min, max);
      TierSizing sizing =
          new TierSizing(
              ladder,
              ScalingPolicy.defaults()
                  .withQuiet(Duration.ofSeconds(1 + random.nextInt(60)))
                  .withBetweenSteps(Duration.ZERO)
                  .withIdleAfter(Duration.ofSeconds(random.nextInt(50))));
      TierSize current = new TierSize(random.nextInt(30), sizes.getFirst());
      SizeHistory history = SizeHistory.NONE;
      long now = random.nextInt(10) == 0 ? Long.MIN_VALUE / 2 : 0;
      for (int i = 0; i < 100; i++) {
        now += random.nextInt(20_000) - (random.nextInt(20) == 0 ? 30_000 : 0);
        TierNeeds needs = anything(random);
        SizeDecision decision = sizing.decide(needs, current, history, now);
        assertThat(decision.size().nodes()).as("seed %d", seed).isBetween(min, max);
        if (history.asked() != null && decision.change() == Change.DOWN) {
          assertThat(needs.doubt()).isEmpty();
          if (decision.size().nodes() > 0) {
            int before = ladder.holding(history.asked());
            assertThat(ladder.holding(decision.size())).isEqualTo(before - 1);
          }
        }
        history = decision.history();
        assertThat(history.samples()).hasSizeLessThanOrEqualTo(70);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void moreIsNeverAnsweredWithLess(long seed) {
    Random random = new Random(seed);
    for (int run = 0; run < 1000; run++) {
      TierSizing sizing =
          new TierSizing(SizeLadder.of(sizes(random), 1, 20), ScalingPolicy.defaults());
      TierSize current = new TierSize(random.nextInt(5), NodeSize.ofCores(4));
      double load = random.nextDouble() * 60;
      long node = random.nextLong(80L << 30);
      long tier = random.nextLong(80L << 30);
      long cache = random.nextLong(8L << 40);
      TierNeeds less = needs(load, node, tier, cache);
      TierNeeds more =
          needs(
              load + random.nextDouble() * 20,
              node + random.nextLong(20L << 30),
              tier + random.nextLong(20L << 30),
              cache + random.nextLong(1L << 40));
      assertThat(sizing.decide(more, current, SizeHistory.NONE, 0).size().cores())
          .as("seed %d: %s and %s", seed, less, more)
          .isGreaterThanOrEqualTo(sizing.decide(less, current, SizeHistory.NONE, 0).size().cores());
    }
  }

  private static TierNeeds needs(double load, long node, long tier, long cache) {
    return new TierNeeds(List.of(), 0, load, node, tier, cache, Duration.ZERO, false);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.2, 0.4, 0.8})
  void aNoisyConstantLoadTurnsNoMoreThanTwiceAnHour(double noise) {
    for (long seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      double mean = 1 + random.nextDouble() * 40;
      NodeSize size = NodeSize.ofCores(4);
      TierSizing sizing =
          new TierSizing(SizeLadder.of(List.of(size), 1, 40), ScalingPolicy.defaults());
      SizeDecision decision =
          sizing.decide(loaded(1, 1), new TierSize(1, size), SizeHistory.NONE, 0);
      int turns = 0;
      Change last = Change.NONE;
      int hours = 8;
      for (long second = 5; second < hours * 3600L; second += 5) {
        double load = Math.max(0, mean * (1 + noise * random.nextGaussian()));
        decision =
            sizing.decide(
                loaded(decision.size().nodes(), load),
                decision.size(),
                decision.history(),
                second * 1000);
        if (decision.change() != Change.NONE) {
          turns += last != Change.NONE && last != decision.change() ? 1 : 0;
          last = decision.change();
        }
      }
      assertThat(turns).as("seed %d, mean %.1f", seed, mean).isLessThanOrEqualTo(2 * hours);
    }
  }

  private static TierNeeds loaded(int nodes, double load) {
    List<NodeLoad> told = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      told.add(new NodeLoad("n" + i, Math.min(12, load / nodes), 4, Duration.ZERO));
    }
    return TierNeeds.ofLoad(told);
  }
}
