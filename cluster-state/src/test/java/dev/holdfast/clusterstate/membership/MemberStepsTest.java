package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.clusterstate.json.StateSize;
import dev.holdfast.clusterstate.membership.LeaderDoubt.Outcome;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Decisions of leaders and followers, as pure steps.
class MemberStepsTest {
  private static final ClusterConfig CONFIG = ClusterConfig.defaults();

  @ParameterizedTest
  @CsvSource({
    "ANSWERED, false",
    "DEAD_END, true",
    "MISSED, false",
    "MISSED MISSED, true",
    "MISSED ANSWERED MISSED, false",
    "DEAD_END ANSWERED, false"
  })
  void aFollowerDoubtsALeaderThatIsGoneAtOnceAndASilentOneAfterTwoBeats(
      String outcomes, boolean isEnough) {
    LeaderDoubt doubt = LeaderDoubt.NONE;
    for (String outcome : outcomes.split(" ")) {
      doubt = doubt.after(Outcome.valueOf(outcome), CONFIG);
    }

    assertThat(doubt.isEnough(CONFIG)).isEqualTo(isEnough);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 1250, false",
    "4000, 1, 1250, false",
    "4001, 0, 1250, true",
    "1400, 2, 1250, false",
    "1401, 1, 1250, false",
    "1401, 2, 1250, true",
    // of a build that answers for longer, or told to by its settings
    "1925, 2, 1750, false",
    "1926, 2, 1750, true",
    "4001, 0, 4000, false",
    "4401, 0, 4000, true"
  })
  void aMemberIsEvictedWhenItIsSilentOrItsAddressIsDeadAndItHasEndedItsAnswers(
      long silenceMillis, int refusals, long contactMillis, boolean isDue) {
    assertThat(
            Eviction.isDue(
                Duration.ofMillis(silenceMillis),
                refusals,
                Duration.ofMillis(contactMillis),
                CONFIG))
        .isEqualTo(isDue);
  }

  @Test
  void aLeaderThatStoodStillGivesItsMembersTheirTimeAnew() {
    Duration ordinary = CONFIG.acknowledgeMax().plus(CONFIG.beatEvery());

    assertThat(Eviction.hasSlept(ordinary, CONFIG)).isFalse();
    assertThat(Eviction.hasSlept(CONFIG.memberSilenceMax(), CONFIG)).isTrue();
    assertThat(CONFIG.sleptMin().plus(CONFIG.beatEvery())).isLessThan(CONFIG.memberSilenceMax());
  }

  @Test
  void aSilentLeaderIsReplacedWithinFiveSeconds() {
    Duration doubt = CONFIG.beatMax().multipliedBy(CONFIG.beatsMissedMax());
    Duration silence =
        CONFIG.beatEvery().plus(doubt).plus(CONFIG.leaseSilenceMax()).plus(CONFIG.claimPollEvery());

    assertThat(silence).isLessThan(Duration.ofSeconds(5));
    // A leader that lives looks three times before its silence counts.
    assertThat(CONFIG.leasePollEvery().multipliedBy(3))
        .isLessThanOrEqualTo(CONFIG.leaseSilenceMax());
  }

  private static StateUpdate.Proposed proposed(ClusterState base, ClusterState changed) {
    return new StateUpdate.Proposed(
        "member", base.version(), StateJson.delta(base, changed), 0, new CompletableFuture<>());
  }

  private static StateUpdate.Local local(String index) {
    return new StateUpdate.Local(
        "create",
        state -> {
          if (state.indices().containsKey(index)) {
            throw Refusal.badArgument("exists");
          }
          return state.withIndex(TestCluster.index(index, 1, 1));
        },
        0,
        new CompletableFuture<>());
  }

  @Test
  void ofProposalsToTheSameStateOneIsTakenAndChangesOfTheLeaderGoOnTop() {
    ClusterState before = ClusterState.empty("cluster").at(1, 7);
    StateUpdate.Proposed first = proposed(before, before.withIndex(TestCluster.index("a", 1, 1)));
    StateUpdate.Proposed second = proposed(before, before.withIndex(TestCluster.index("b", 1, 1)));
    StateUpdate.Proposed asks = proposed(before, before);
    StateUpdate.Local same = local("a");
    StateUpdate.Local other = local("c");

    StateUpdateBatch batch =
        StateUpdateBatch.step(before, List.of(same, asks, first, other, second), new StateSize());

    assertThat(batch.changed().indices()).containsOnlyKeys("a", "c");
    assertThat(batch.applied()).containsExactly(asks, first, other);
    assertThat(batch.stale()).containsExactly(second);
    assertThat(batch.refused()).containsOnlyKeys(same);
  }

  @Test
  void aProposalToAnOlderStateIsStaleEvenIfItChangesNothing() {
    ClusterState before = ClusterState.empty("cluster").at(1, 7);
    StateUpdate.Proposed old = proposed(before.at(1, 6), before.at(1, 6));

    StateUpdateBatch batch = StateUpdateBatch.step(before, List.of(old), new StateSize());

    assertThat(batch.stale()).containsExactly(old);
    assertThat(batch.changed()).isSameAs(before);
  }
}
