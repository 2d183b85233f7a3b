package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.lease.Claiming;
import dev.holdfast.clusterstate.lease.HeldLease;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// For how long a node may answer searches after it last knew that nobody had replaced its leader.
final class ServingTest {
  private static final ClusterConfig CONFIG = ClusterConfig.defaults();

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
  private final ObjectStore store = new MemoryStore();
  private final LeaseRegister register = new LeaseRegister(store);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private Lease lease() throws Exception {
    return register.read().lease();
  }

  private void replace(Lease lease) throws Exception {
    assertThat(register.replace(register.read(), lease)).isPresent();
  }

  private Membership membership() {
    World real = RealWorld.create();
    World world = new World(clock, real.sleeper(), real.ids(), real.chance(), real.tasks());
    return new Membership(world, CONFIG, register);
  }

  @Test
  void aChallengedLeaseIsSeenAgainOnlyWhenTheChallengeIsAnswered() throws Exception {
    replace(Lease.none().claimedBy("n0", "n0:1"));
    long first = clock.nanoTime();
    pass(Duration.ofSeconds(1)); // the answer was on its way
    HeldLease held = new HeldLease(clock, register, () -> false, lease(), first);
    assertThat(held.seenNanos()).isEqualTo(first);
    pass(Duration.ofSeconds(1));
    assertThat(held.read()).isPresent();
    long seen = held.seenNanos();
    assertThat(seen).isGreaterThan(first);

    replace(lease().challengedBy("n1"));
    pass(Duration.ofSeconds(1));
    assertThat(held.read()).isPresent();
    assertThat(held.change(Lease::afterEviction)).isTrue();
    assertThat(held.seenNanos()).isEqualTo(seen);

    assertThat(held.change(Lease::beating)).isTrue();
    assertThat(held.seenNanos()).isEqualTo(clock.nanoTime());
  }

  @Test
  void ofTwoChangesTheLaterGenerationStays() throws Exception {
    replace(Lease.none().claimedBy("n0", "n0:1"));
    HeldLease[] held = new HeldLease[1];
    boolean[] isFirst = {true};
    ObjectStore slow =
        (ObjectStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (_, method, arguments) -> {
                  Object answer = method.invoke(store, arguments);
                  if (method.getName().equals("compareAndSet") && isFirst[0]) {
                    isFirst[0] = false; // written, but its writer does not know it yet
                    assertThat(held[0].change(Lease::afterEviction)).isTrue();
                  }
                  return answer;
                });
    held[0] = new HeldLease(clock, new LeaseRegister(slow), () -> false, lease(), clock.nanoTime());

    assertThat(held[0].change(Lease::beating)).isTrue();

    assertThat(held[0].generation()).isEqualTo(lease().nodeLeftGeneration());
  }

  @Test
  void whatALeaderConfirmsIsAsOldAsItsSightOfTheLease() throws Exception {
    replace(Lease.none().claimedBy("n0", "n0:1"));
    Membership follower = membership();
    Lease old = lease();
    MemberMessages.Standing confirmed =
        new MemberMessages.Standing(
            old.term(),
            old.nodeLeftGeneration(),
            true,
            CONFIG.serveMax().minusSeconds(1).toNanos());
    replace(old.claimedBy("n1", "n1:1"));

    follower.confirmed(confirmed, clock.nanoTime());
    assertThat(follower.mayServe()).isTrue();

    pass(Duration.ofSeconds(1));
    assertThat(follower.mayServe()).isFalse();
  }

  @Test
  void withAChallengeInTheLeaseEveryAnswerNeedsALookOfItsOwn() throws Exception {
    replace(Lease.none().claimedBy("n0", "n0:1"));
    Membership follower = membership();
    Lease known = lease();
    follower.confirmed(
        new MemberMessages.Standing(known.term(), known.nodeLeftGeneration(), true, 0),
        clock.nanoTime());
    pass(CONFIG.serveMax());
    replace(known.challengedBy("n1"));
    assertThat(follower.mayServe()).isTrue();

    pass(Duration.ofNanos(1));
    replace(lease().claimedBy("n1", "n1:1"));
    assertThat(follower.mayServe()).isFalse();
  }

  @Test
  void aNodeThatMayBeEvictedAnswersNothingThatCameAfterItsEviction() throws Exception {
    replace(Lease.none().claimedBy("n0", "n0:1"));
    Membership follower = membership();
    Lease known = lease();
    follower.confirmed(
        new MemberMessages.Standing(known.term(), known.nodeLeftGeneration(), true, 0),
        clock.nanoTime());
    pass(CONFIG.contactMax());
    assertThat(follower.mayServe()).isTrue(); // it looked

    pass(Duration.ofNanos(1));
    replace(known.afterEviction());
    assertThat(follower.mayServe()).isFalse();
  }

  /// Until a challenge is in the lease its leader sees none, and says that it leads.
  @Test
  void aChallengeCountsFromWhenItIsInTheLease() throws Exception {
    replace(Lease.none().claimedBy("n0", "n0:1"));
    AtomicLong challengedNanos = new AtomicLong();
    ObjectStore slow =
        (ObjectStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("compareAndSet")
                      && challengedNanos.compareAndSet(0, 1)) {
                    pass(CONFIG.leaseSilenceMax());
                    challengedNanos.set(clock.nanoTime());
                  }
                  return method.invoke(store, arguments);
                });
    World real = RealWorld.create();
    World world = new World(clock, this::pass, real.ids(), real.chance(), real.tasks());
    LeaseRegister away = new LeaseRegister(slow);
    Member self = new Member("n1", "n1", "n1:1", new TreeSet<>(), 1, 0, false, Build.here("test"));

    Claiming.Won won = new Claiming(world, away, CONFIG, self, "").claim(away.read()).orElseThrow();

    assertThat(Duration.ofNanos(won.claimedNanos() - challengedNanos.get()))
        .isGreaterThanOrEqualTo(CONFIG.leaseSilenceMax());
  }

  @Test
  void aLeaderAsksNobodyWhetherItIsAMember() throws Exception {
    replace(Lease.none().claimedBy("n0", "n0:1"));
    Membership leader = membership();
    Lease held = lease();
    leader.leads(
        new MemberMessages.Standing(held.term(), held.nodeLeftGeneration(), true, 0),
        clock.nanoTime());
    replace(held.claimedBy("n1", "n1:1"));

    pass(CONFIG.serveMax().minusNanos(1));
    assertThat(leader.mayServe()).isTrue();
    pass(Duration.ofNanos(1));
    assertThat(leader.mayServe()).isFalse();
  }

  @Test
  void whatWasKnownIsTrueUntilSomebodyMayBeGivenUpAndLastsFromOneLookToTheNext() {
    assertThat(CONFIG.serveMax()).isLessThan(CONFIG.leaseSilenceMax());
    assertThat(CONFIG.contactMax()).isLessThan(CONFIG.refusedSilenceMax());
    assertThat(CONFIG.contactMax()).isLessThan(CONFIG.memberSilenceMax());
    assertThat(CONFIG.serveMax())
        .isGreaterThan(CONFIG.leasePollEvery().plus(CONFIG.beatEvery()).plus(CONFIG.beatMax()));
    assertThat(CONFIG.contactMax()).isGreaterThan(CONFIG.beatEvery().plus(CONFIG.beatMax()));
  }

  private static ClusterConfig with(
      Duration leaseSilenceMax, Duration refusedSilenceMax, Duration contactMax) {
    return new ClusterConfig(
        CONFIG.beatEvery(),
        CONFIG.beatMax(),
        CONFIG.callMax(),
        CONFIG.beatsMissedMax(),
        CONFIG.leasePollEvery(),
        leaseSilenceMax,
        CONFIG.memberSilenceMax(),
        refusedSilenceMax,
        CONFIG.refusalsMax(),
        CONFIG.acknowledgeMax(),
        CONFIG.proposeMax(),
        CONFIG.updateMax(),
        contactMax,
        CONFIG.serveMax(),
        CONFIG.leaseReadMax(),
        CONFIG.drainMax());
  }

  @Test
  void timingsUnderWhichTwoNodesWouldAnswerForTheSameAreRefused() {
    Duration silence = CONFIG.leaseSilenceMax();
    Duration refused = CONFIG.refusedSilenceMax();
    Duration contact = CONFIG.contactMax();

    assertThat(with(silence, refused, contact)).isEqualTo(CONFIG);
    assertThatThrownBy(() -> with(CONFIG.serveMax(), refused, contact))
        .hasMessageContaining("cluster.serve_max must be shorter than cluster.lease_silence_max");
    assertThatThrownBy(() -> with(silence, contact.plusMillis(1), contact))
        .hasMessageContaining("refused_silence_max by a tenth");
    assertThatThrownBy(() -> with(silence, refused, CONFIG.memberSilenceMax()))
        .hasMessageContaining("contact_max");
    assertThatThrownBy(() -> with(silence.minusMillis(1), refused, contact))
        .hasMessageContaining("leaders that live are replaced");
  }
}
