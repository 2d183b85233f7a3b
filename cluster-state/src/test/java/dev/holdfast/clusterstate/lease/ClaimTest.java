package dev.holdfast.clusterstate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimTest {
  private static final ClusterConfig CONFIG = ClusterConfig.defaults();
  private static final Lease HELD = new Lease(3, "leader", "127.0.0.1:9200", 0, 7, "", false, 0, 0);

  @Test
  void aCleanStopNeedsNoWait() {
    assertThat(Claim.decide(HELD.stopped(), HELD.stopped(), false, Duration.ZERO, CONFIG))
        .isEqualTo(Claim.Step.TAKE_OVER);
  }

  @Test
  void aProcessKnownDeadNeedsNoWait() {
    assertThat(Claim.decide(HELD, HELD, true, Duration.ZERO, CONFIG))
        .isEqualTo(Claim.Step.TAKE_OVER);
  }

  @Test
  void aSilentLeaderIsChallengedFirstAndReplacedAfterTheWholeSilence() {
    Lease challenged = HELD.challengedBy("me");

    assertThat(Claim.decide(HELD, HELD, false, Duration.ofHours(1), CONFIG))
        .isEqualTo(Claim.Step.CHALLENGE);
    assertThat(
            Claim.decide(challenged, HELD, false, CONFIG.leaseSilenceMax().minusMillis(1), CONFIG))
        .isEqualTo(Claim.Step.WAIT);
    assertThat(Claim.decide(challenged, HELD, false, CONFIG.leaseSilenceMax(), CONFIG))
        .isEqualTo(Claim.Step.TAKE_OVER);
  }

  @Test
  void anAnswerMeansTheLeaderLives() {
    Lease answered = HELD.challengedBy("me").beating();

    assertThat(Claim.decide(answered, HELD, false, Duration.ofHours(1), CONFIG))
        .isEqualTo(Claim.Step.LEADER_LIVES);
  }

  @Test
  void anotherChallengersNameServesAsWell() {
    Lease challenged = HELD.challengedBy("other");

    assertThat(Claim.decide(challenged, HELD, false, Duration.ZERO, CONFIG))
        .isEqualTo(Claim.Step.WAIT);
    assertThat(Claim.decide(challenged, HELD, false, CONFIG.leaseSilenceMax(), CONFIG))
        .isEqualTo(Claim.Step.TAKE_OVER);
  }

  @Test
  void whoeverWasFasterLeads() {
    Lease claimed = HELD.claimedBy("other", "there");

    assertThat(Claim.decide(claimed, HELD, false, Duration.ofHours(1), CONFIG))
        .isEqualTo(Claim.Step.LEADER_LIVES);
    assertThat(Claim.decide(claimed.stopped(), HELD, false, Duration.ZERO, CONFIG))
        .isEqualTo(Claim.Step.LEADER_LIVES);
  }
}
