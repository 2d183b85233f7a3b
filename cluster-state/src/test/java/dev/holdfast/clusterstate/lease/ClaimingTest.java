package dev.holdfast.clusterstate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Since when a challenge counts as unanswered, over a clock that only sleeping moves.
final class ClaimingTest {
  private static final ClusterConfig CONFIG = ClusterConfig.defaults();
  private static final long TERM = 1;

  private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return nanos.get();
        }

        @Override
        public long epochMillis() {
          return nanos.get() / 1_000_000;
        }
      };
  private final LeaseRegister register = new LeaseRegister(new MemoryStore());
  private Claiming claiming;

  @BeforeEach
  void anotherLeads() throws Exception {
    World real = RealWorld.create();
    World world = new World(clock, this::pass, real.ids(), real.chance(), real.tasks());
    Member self =
        new Member("n1", "n1", "n1:1", new TreeSet<>(), 0, 0, false, Build.here("of this test"));
    claiming = new Claiming(world, register, CONFIG, self, "");
    replace(Lease.none().claimedBy("n0", "n0:1"));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private void replace(Lease lease) throws Exception {
    assertThat(register.replace(register.read(), lease)).isPresent();
  }

  private Duration untilClaimed() throws Exception {
    long begun = nanos.get();
    assertThat(claiming.claim(register.read())).isPresent();
    return Duration.ofNanos(nanos.get() - begun);
  }

  @Test
  void whatPassedSinceTheFirstDoubtNeedNotPassAgain() throws Exception {
    assertThat(claiming.attempt(TERM, false).read().lease().challenger()).isEqualTo("n1");
    pass(CONFIG.leaseSilenceMax().minus(CONFIG.claimPollEvery()));

    assertThat(untilClaimed()).isEqualTo(CONFIG.claimPollEvery());
  }

  @Test
  void aChallengeThatWasAnsweredCountsAnew() throws Exception {
    var _ = claiming.attempt(TERM, false);
    pass(CONFIG.leaseSilenceMax().multipliedBy(2));
    replace(register.read().lease().beating());
    assertThat(claiming.attempt(TERM, false).read().lease().challenger()).isEqualTo("n1");

    assertThat(untilClaimed()).isEqualTo(CONFIG.leaseSilenceMax());
  }

  @Test
  void aChallengeOfAnotherCountsFromWhenItWasSeen() throws Exception {
    replace(register.read().lease().challengedBy("n2"));
    pass(Duration.ofSeconds(10));
    assertThat(claiming.attempt(TERM, false).read().lease().challenger()).isEqualTo("n2");
    pass(CONFIG.claimPollEvery());

    assertThat(untilClaimed()).isEqualTo(CONFIG.leaseSilenceMax().minus(CONFIG.claimPollEvery()));
  }

  @Test
  void onlyTheDoubtedLeaderIsChallenged() throws Exception {
    assertThat(claiming.attempt(TERM - 1, true).read().lease().challenger()).isEmpty();
  }

  @Test
  void aFreeLeaseIsTakenAtOnceAndAnotherWhenItIsDoubtedEnough() throws Exception {
    assertThat(claiming.attempt(TERM, true).won()).isEmpty();
    pass(CONFIG.leaseSilenceMax());
    assertThat(claiming.attempt(TERM, false).won()).isEmpty();
    assertThat(claiming.attempt(TERM, true).won().orElseThrow().held().lease().term())
        .isEqualTo(TERM + 1);

    replace(register.read().lease().stopped());
    assertThat(claiming.attempt(TERM + 1, false).won()).isPresent();
  }
}
