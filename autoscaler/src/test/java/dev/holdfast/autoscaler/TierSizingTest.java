package dev.holdfast.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.autoscaler.SizeDecision.Change;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TierSizingTest {
  private static final NodeSize SIZE = NodeSize.ofCores(4);
  private static final long MINUTE = 60_000;
  private static final long GIBIBYTE = 1L << 30;
  private static final Duration FRESH = Duration.ofSeconds(2);

  private static TierSizing sizing(int min, int max) {
    return new TierSizing(
        SizeLadder.of(List.of(SIZE), min, max),
        ScalingPolicy.defaults().withIdleAfter(min == 0 ? Duration.ofMinutes(5) : Duration.ZERO));
  }

  /// As a tier of so many nodes says it that share a load.
  private static TierNeeds busy(int nodes, double load) {
    return TierNeeds.ofLoad(
        java.util.stream.IntStream.range(0, nodes)
            .mapToObj(i -> new NodeLoad("node-" + i, load / nodes, SIZE.cores(), FRESH))
            .toList());
  }

  private static TierNeeds idle(int nodes, Duration since, boolean isAwaited) {
    return new TierNeeds(busy(nodes, 0).nodes(), nodes, 0, 0, 0, 0, since, isAwaited);
  }

  private static TierNeeds memory(long node, long tier, long cache) {
    return new TierNeeds(busy(1, 0.5).nodes(), 1, 0, node, tier, cache, Duration.ZERO, false);
  }

  private static TierSize nodes(int count) {
    return new TierSize(count, SIZE);
  }

  /// Decides every 5 s with the same needs.
  private static SizeDecision during(
      TierSizing sizing, TierNeeds needs, SizeDecision last, long from, long until) {
    SizeDecision decision = last;
    for (long now = from; now <= until; now += 5000) {
      decision = sizing.decide(needs, last.size(), decision.history(), now);
    }
    return decision;
  }

  @Test
  void moreLoadMakesATierLargerAtOnce() {
    SizeDecision decision =
        sizing(1, 10).decide(busy(1, 11), nodes(1), SizeHistory.NONE, 7 * MINUTE);
    assertThat(decision.size()).isEqualTo(nodes(4));
    assertThat(decision.change()).isEqualTo(Change.UP);
    assertThat(decision.words())
        .containsExactly(
            "load asks for 4 nodes of 4 cores and 8 GiB: 11.00 threads busy, at 80 % of the cores");
  }

  @Test
  void aLimitStopsWhatAFigureAsksFor() {
    SizeDecision decision = sizing(1, 2).decide(busy(1, 12), nodes(2), SizeHistory.NONE, 0);
    assertThat(decision.size()).isEqualTo(nodes(2));
    assertThat(decision.words())
        .contains("limit: load needs more than 2 nodes of 4 cores and 8 GiB");
  }

  @Test
  void lessLoadMakesItSmallerAfterTheQuietTimeAndByOneNode() {
    TierSizing sizing = sizing(1, 10);
    SizeDecision before = sizing.decide(busy(4, 11), nodes(4), SizeHistory.NONE, 0);

    // when the load has gone, then 30 minutes pass after the last stretch in which it was there
    SizeDecision waits = during(sizing, busy(4, 1), before, 5000, 30 * MINUTE - 5000);
    assertThat(waits.size()).isEqualTo(nodes(4));
    SizeDecision later = during(sizing, busy(4, 1), waits, 30 * MINUTE, 31 * MINUTE + 5000);
    assertThat(later.size()).isEqualTo(nodes(3));

    // then the next one goes when that has left
    SizeDecision between =
        during(sizing, busy(3, 1), later, 31 * MINUTE + 10_000, 33 * MINUTE + 50_000);
    assertThat(between.size()).isEqualTo(nodes(3));
    assertThat(during(sizing, busy(3, 1), between, 33 * MINUTE + 55_000, 36 * MINUTE).size())
        .isEqualTo(nodes(2));
  }

  @Test
  void aBurstWithinTheQuietTimeIsRemembered() {
    TierSizing sizing = sizing(1, 10);
    SizeDecision before = sizing.decide(busy(4, 11), nodes(4), SizeHistory.NONE, 0);
    SizeDecision quiet = during(sizing, busy(4, 1), before, 5000, 20 * MINUTE);
    SizeDecision burst = sizing.decide(busy(4, 11), nodes(4), quiet.history(), 20 * MINUTE + 5000);
    assertThat(during(sizing, busy(4, 1), burst, 20 * MINUTE + 10_000, 50 * MINUTE).size())
        .isEqualTo(nodes(4));
    assertThat(during(sizing, busy(4, 1), burst, 20 * MINUTE + 10_000, 52 * MINUTE).size())
        .isEqualTo(nodes(3));
  }

  @Test
  void headroomIsLeftWhenItIsMadeSmaller() {
    // given a load that two nodes would just do
    TierSizing sizing = sizing(1, 10);
    SizeDecision first = sizing.decide(busy(3, 6.2), nodes(3), SizeHistory.NONE, 0);
    assertThat(during(sizing, busy(3, 6.2), first, 5000, 90 * MINUTE).size()).isEqualTo(nodes(3));
    assertThat(during(sizing, busy(3, 5.3), first, 5000, 90 * MINUTE).size()).isEqualTo(nodes(2));
  }

  @Test
  void whatCannotBeBelievedMakesNothingSmallerAndNothingLarger() {
    TierSizing sizing = sizing(1, 10);
    SizeDecision first = sizing.decide(busy(4, 11), nodes(4), SizeHistory.NONE, 0);
    for (NodeLoad bad :
        List.of(
            new NodeLoad("bad", Double.NaN, 4, FRESH),
            new NodeLoad("bad", -1, 4, FRESH),
            new NodeLoad("bad", 1e9, 4, FRESH),
            new NodeLoad("bad", Double.POSITIVE_INFINITY, 4, FRESH),
            new NodeLoad("bad", 1, Double.NaN, FRESH),
            new NodeLoad("bad", 1, 0, FRESH),
            new NodeLoad("bad", 5000, 1e7, FRESH),
            new NodeLoad("bad", 1, 4, Duration.ofMinutes(2)),
            new NodeLoad("bad", 1, 4, Duration.ofMinutes(-2)))) {
      SizeDecision decision =
          during(sizing, TierNeeds.ofLoad(List.of(bad)), first, 5000, 90 * MINUTE);
      assertThat(decision.size()).as("%s", bad).isEqualTo(nodes(4));
      assertThat(decision.words())
          .containsExactly(
              "nothing is made smaller: what node [bad] said is old or cannot be true");
    }
  }

  @Test
  void aNodeThatSaysNothingHoldsTheSizeButTheOthersMayMakeItLarger() {
    TierSizing sizing = sizing(1, 10);
    TierNeeds partial = new TierNeeds(busy(1, 1).nodes(), 2, 0, 0, 0, 0, Duration.ZERO, false);
    SizeDecision first = sizing.decide(partial, nodes(2), SizeHistory.NONE, 0);
    SizeDecision decision = during(sizing, partial, first, 5000, 90 * MINUTE);
    assertThat(decision.size()).isEqualTo(nodes(2));
    assertThat(decision.words())
        .containsExactly("nothing is made smaller: 1 of 2 nodes have said nothing");
    TierNeeds full = new TierNeeds(busy(1, 12).nodes(), 2, 0, 0, 0, 0, Duration.ZERO, false);
    assertThat(sizing.decide(full, nodes(2), decision.history(), 91 * MINUTE).size())
        .isEqualTo(nodes(4));
  }

  @Test
  void aTierOfWhichNoNodeSpeaksStaysAsItIs() {
    TierSizing ofSmallNodes =
        new TierSizing(
            SizeLadder.of(List.of(NodeSize.ofCores(1)), 1, 100), ScalingPolicy.defaults());
    TierNeeds silent = new TierNeeds(List.of(), 2, 0, 0, 0, 0, Duration.ZERO, false);

    SizeDecision decision = ofSmallNodes.decide(silent, nodes(2), SizeHistory.NONE, 0);

    assertThat(decision.size()).isEqualTo(nodes(2));
    assertThat(decision.change()).isEqualTo(Change.NONE);
    assertThat(decision.words()).contains("nothing is made smaller: no node has said anything");
  }

  @Test
  void theQuietTimeBeginsAnewAfterAGapAndWhenTheClockGoesBack() {
    TierSizing sizing = sizing(1, 10);
    SizeDecision first = sizing.decide(busy(2, 1), nodes(2), SizeHistory.NONE, 100 * MINUTE);
    SizeDecision quiet = during(sizing, busy(2, 1), first, 100 * MINUTE, 129 * MINUTE);
    assertThat(during(sizing, busy(2, 1), quiet, 131 * MINUTE, 150 * MINUTE).size())
        .isEqualTo(nodes(2));
    assertThat(during(sizing, busy(2, 1), quiet, 10 * MINUTE, 39 * MINUTE).size())
        .isEqualTo(nodes(2));
    assertThat(during(sizing, busy(2, 1), quiet, 10 * MINUTE, 41 * MINUTE).size())
        .isEqualTo(nodes(1));
  }

  @Test
  void whatShardsAndCachesNeedIsNeverTakenAway() {
    TierSizing sizing = sizing(1, 10);
    for (TierNeeds needs :
        List.of(memory(0, 20 * GIBIBYTE, 0), memory(0, 0, 3 * SIZE.cacheBytes()))) {
      SizeDecision first = sizing.decide(needs, nodes(1), SizeHistory.NONE, 0);
      assertThat(first.size()).isEqualTo(nodes(3));
      assertThat(during(sizing, needs, first, 5000, 90 * MINUTE).size()).isEqualTo(nodes(3));
    }
    assertThat(sizing.decide(memory(9 * GIBIBYTE, 0, 0), nodes(1), SizeHistory.NONE, 0).words())
        .contains("limit: node_memory needs more than 10 nodes of 4 cores and 8 GiB");
  }

  @Test
  void theLoadOfShardsWithoutOwnerCounts() {
    TierNeeds needs = new TierNeeds(busy(1, 2).nodes(), 1, 7, 0, 0, 0, Duration.ZERO, false);
    assertThat(sizing(1, 10).decide(needs, nodes(1), SizeHistory.NONE, 0).size())
        .isEqualTo(nodes(3));
  }

  @Test
  void aLimitThatChangesCountsAtOnce() {
    SizeDecision before = sizing(1, 10).decide(busy(1, 12), nodes(1), SizeHistory.NONE, 0);
    assertThat(before.size()).isEqualTo(nodes(4));
    SizeDecision lower = sizing(1, 2).decide(busy(4, 12), nodes(4), before.history(), 5000);
    assertThat(lower.size()).isEqualTo(nodes(2));
    assertThat(lower.change()).isEqualTo(Change.DOWN);
    SizeDecision higher = sizing(7, 10).decide(busy(4, 12), nodes(4), before.history(), 5000);
    assertThat(higher.size()).isEqualTo(nodes(7));
    assertThat(higher.change()).isEqualTo(Change.UP);
  }

  @Test
  void nodesGrowInSizeBeforeTheyGrowInNumber() {
    TierSizing sizing =
        new TierSizing(SizeLadder.of(NodeSize.doubling(), 1, 50), ScalingPolicy.defaults());
    TierSize one = new TierSize(1, NodeSize.ofCores(1));
    java.util.function.DoubleFunction<String> size =
        load -> {
          TierSize wanted =
              sizing
                  .decide(
                      new TierNeeds(List.of(), 0, load, 0, 0, 0, Duration.ZERO, false),
                      one,
                      SizeHistory.NONE,
                      0)
                  .size();
          return wanted.nodes() + "x" + (int) wanted.size().cores();
        };
    assertThat(List.of(size.apply(0.5), size.apply(2), size.apply(3), size.apply(6)))
        .containsExactly("1x1", "3x1", "2x2", "2x4");
    assertThat(List.of(size.apply(76), size.apply(100), size.apply(1000)))
        .containsExactly("3x32", "4x32", "40x32");
    assertThat(sizing.decide(memory(30 * GIBIBYTE, 0, 0), one, SizeHistory.NONE, 0).size())
        .isEqualTo(new TierSize(2, NodeSize.ofCores(16)));
  }

  @Test
  void aTierWithoutRequestsGoesAndComesBackWhenOneWaits() {
    TierSizing sizing = sizing(0, 10);
    SizeDecision used =
        sizing.decide(idle(2, Duration.ofMinutes(4), false), nodes(2), SizeHistory.NONE, 0);
    assertThat(used.size()).isEqualTo(nodes(2));
    SizeDecision gone =
        sizing.decide(idle(2, Duration.ofMinutes(5), false), nodes(2), used.history(), 5000);
    assertThat(gone.size()).isEqualTo(nodes(0));
    SizeDecision still =
        sizing.decide(idle(0, Duration.ZERO, false), nodes(0), gone.history(), 10_000);
    assertThat(still.size()).isEqualTo(nodes(0));
    SizeDecision back =
        sizing.decide(idle(0, Duration.ZERO, true), nodes(0), still.history(), 15_000);
    assertThat(back.size()).isEqualTo(nodes(1));
    SizeDecision stays =
        sizing.decide(idle(0, Duration.ofHours(1), false), nodes(0), back.history(), 20_000);
    assertThat(stays.size()).as("it has not started yet").isEqualTo(nodes(1));
  }

  @Test
  void aStepThatHadToBeTakenBackMakesTheNextWaitTwiceAsLong() {
    TierSizing sizing = sizing(1, 10);
    SizeDecision first = sizing.decide(busy(2, 6), nodes(2), SizeHistory.NONE, 0);
    SizeDecision down = during(sizing, busy(2, 1), first, 5000, 32 * MINUTE);
    assertThat(down.size()).isEqualTo(nodes(1));
    SizeDecision up = sizing.decide(busy(1, 6), nodes(1), down.history(), 33 * MINUTE);
    assertThat(up.size()).isEqualTo(nodes(2));
    SizeDecision waits = during(sizing, busy(2, 1), up, 33 * MINUTE + 5000, 92 * MINUTE);
    assertThat(waits.size()).isEqualTo(nodes(2));
    assertThat(during(sizing, busy(2, 1), waits, 92 * MINUTE, 96 * MINUTE).size())
        .isEqualTo(nodes(1));
  }
}
