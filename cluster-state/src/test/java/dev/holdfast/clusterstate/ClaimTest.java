package dev.holdfast.clusterstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimTest {
  private static final Lease HELD = new Lease(3, "leader", "127.0.0.1:9200", 0, 7, "", false);

  @Test
  void aCleanStopNeedsNoWait() {
    assertThat(Claim.decide(HELD.stopped(), HELD.stopped(), "me", false, Duration.ZERO))
        .isEqualTo(Claim.Step.TAKE_OVER);
  }

  @Test
  void aProcessKnownDeadNeedsNoWait() {
    assertThat(Claim.decide(HELD, HELD, "me", true, Duration.ZERO)).isEqualTo(Claim.Step.TAKE_OVER);
  }

  @Test
  void aSilentLeaderIsChallengedFirstAndReplacedAfterTheWholeSilence() {
    Lease challenged = HELD.challengedBy("me");

    assertThat(Claim.decide(HELD, HELD, "me", false, Duration.ofHours(1)))
        .isEqualTo(Claim.Step.CHALLENGE);
    assertThat(Claim.decide(challenged, HELD, "me", false, Claim.SILENCE_MAX.minusMillis(1)))
        .isEqualTo(Claim.Step.WAIT);
    assertThat(Claim.decide(challenged, HELD, "me", false, Claim.SILENCE_MAX))
        .isEqualTo(Claim.Step.TAKE_OVER);
  }

  @Test
  void anAnswerMeansTheLeaderLives() {
    Lease answered = HELD.challengedBy("me").beating();

    assertThat(Claim.decide(answered, HELD, "me", false, Duration.ofHours(1)))
        .isEqualTo(Claim.Step.LEADER_LIVES);
  }

  @Test
  void anotherChallengersNameIsReplacedByOurs() {
    assertThat(Claim.decide(HELD.challengedBy("other"), HELD, "me", false, Duration.ZERO))
        .isEqualTo(Claim.Step.CHALLENGE);
  }
}
