package dev.holdfast.objectstore.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// Who may spend how much.
class BudgetSharesTest {
  private static final Offset<Double> CLOSE = within(1e-9);

  private static Demand demand(double prompt, double deferred, boolean isHeld) {
    return new Demand(prompt, deferred, isHeld);
  }

  @Test
  void nodesThatSaidNothingHaveEqualShares() {
    assertThat(BudgetShares.of(6, Map.of(), List.of("a", "b", "c")))
        .containsEntry("a", 2.0)
        .containsEntry("c", 2.0);
  }

  @Test
  void whoIsHeldGetsWhatOthersDoNotNeed() {
    SortedMap<String, Double> shares =
        BudgetShares.of(
            10,
            Map.of(
                "idle",
                demand(0, 0, false),
                "some",
                demand(0, 2, false),
                "held",
                demand(0, 1, true)),
            List.of("idle", "some", "held"));
    assertThat(shares.get("idle")).isCloseTo(0.0, CLOSE);
    assertThat(shares.get("some")).isCloseTo(3.0, CLOSE);
    assertThat(shares.get("held")).isCloseTo(7.0, CLOSE);
  }

  @Test
  void searchesArePaidForFirst() {
    SortedMap<String, Double> shares =
        BudgetShares.of(
            10,
            Map.of("search", demand(4, 0, false), "a", demand(1, 9, true), "b", demand(0, 9, true)),
            List.of("a", "b"));
    assertThat(shares).containsOnlyKeys("a", "b");
    assertThat(shares.get("a")).isCloseTo(3.5, CLOSE);
    assertThat(shares.get("b")).isCloseTo(2.5, CLOSE);
  }

  @Test
  void whatIsNoAmountIsNone() {
    assertThat(demand(Double.NaN, -1, false)).isEqualTo(demand(0, 0, false));
    assertThat(demand(Double.POSITIVE_INFINITY, 1, false)).isEqualTo(demand(0, 1, false));
  }

  /// All shares and what nobody holds up elsewhere are the budget, whenever that suffices.
  @Test
  void nothingIsGivenTwiceAndNothingIsLost() {
    Random random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      Map<String, Demand> demands = new TreeMap<>();
      List<String> writers = new ArrayList<>();
      double prompt = 0;
      double elsewhere = 0;
      for (int node = 0; node <= random.nextInt(6); node++) {
        String name = "n" + node;
        boolean isWriter = node == 0 || random.nextBoolean();
        if (isWriter) {
          writers.add(name);
        }
        if (random.nextInt(4) > 0) {
          Demand said = demand(random.nextDouble(), random.nextDouble(), random.nextBoolean());
          demands.put(name, said);
          prompt += said.prompt();
          elsewhere += isWriter ? 0 : said.prompt();
        }
      }
      SortedMap<String, Double> shares = BudgetShares.of(4, demands, writers);
      double given = shares.values().stream().mapToDouble(Double::doubleValue).sum();
      assertThat(given).isCloseTo(4 - Math.min(1, 4 / prompt) * elsewhere, CLOSE);
      assertThat(shares.values()).allMatch(share -> share >= 0);
    }
  }
}
