package dev.holdfast.clusterstate.lease;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the lease, doing what [Claim] decides until it holds it or knows that a leader lives.
public final class Claiming {
  private static final Logger LOG = LoggerFactory.getLogger(Claiming.class);

  private final World world;
  private final LeaseRegister register;
  private final ClusterConfig config;
  private final Member self;
  private final String knownDead;

  /// The challenge that was seen last; null for none yet. Guarded by this.
  private @Nullable Challenge challenge;

  /// When the lease was first seen to be missing. Guarded by this.
  private OptionalLong missingSinceNanos = OptionalLong.empty();

  /// @param knownDead ephemeral id of a process that is certainly dead; empty for none
  public Claiming(
      World world, LeaseRegister register, ClusterConfig config, Member self, String knownDead) {
    this.world = world;
    this.register = register;
    this.config = config;
    this.self = self;
    this.knownDead = knownDead;
  }

  /// A lease that was won.
  ///
  /// @param before the lease that it follows
  /// @param claimedNanos the moment before it was taken: the answer may have been long on its way
  public record Won(Lease before, LeaseRegister.Read held, long claimedNanos) {}

  /// A challenge as this node has seen it.
  ///
  /// @param sinceNanos when it was first known to be in the lease: until it is there, which may
  ///   take its time, the leader sees none
  private record Challenge(long term, long beat, long sinceNanos) {}

  /// What came of an attempt.
  ///
  /// @param read the lease as it is now
  /// @param won empty while another holds it
  public record Attempt(LeaseRegister.Read read, Optional<Won> won) {}

  /// Does what can be done now about a leader that is doubted, without waiting for anything but the
  /// store: challenges it when nobody has, and takes the lease when it is free or the challenge is
  /// old enough. A challenge may be made at the first doubt: a leader that lives answers soon.
  ///
  /// @param term of the leader that is doubted: of another nothing is taken
  /// @param mayTakeOver whether it is doubted enough
  /// @throws IOException also when the lease has been missing for as long as a leader may be
  ///   silent: nobody may lead before it is repaired
  public Attempt attempt(long term, boolean mayTakeOver) throws IOException {
    long now = world.clock().nanoTime();
    LeaseRegister.Read read = register.readIfWhole();
    Lease lease = read.lease();
    if (missing(read).compareTo(config.leaseSilenceMax()) >= 0 && mayTakeOver) {
      throw new IOException(HeldLease.whyLost(lease));
    }
    if (lease.term() != term) {
      return new Attempt(read, Optional.empty());
    }
    boolean isOld = unanswered(lease).compareTo(config.leaseSilenceMax()) >= 0;
    if (isFree(lease) || (mayTakeOver && isOld)) {
      Optional<LeaseRegister.Read> claimed =
          register.replace(read, lease.claimedBy(self.id(), self.address()));
      return new Attempt(claimed.orElse(read), claimed.map(held -> new Won(lease, held, now)));
    }
    if (lease.challenger().isEmpty()) {
      read = challenged(read);
      var _ = unanswered(read.lease());
    }
    return new Attempt(read, Optional.empty());
  }

  /// How long this node has seen that there is no lease. A leader that lives puts it back.
  private synchronized Duration missing(LeaseRegister.Read read) {
    if (!read.isMissing()) {
      missingSinceNanos = OptionalLong.empty();
      return Duration.ZERO;
    }
    long now = world.clock().nanoTime();
    missingSinceNanos = OptionalLong.of(missingSinceNanos.orElse(now));
    return Duration.ofNanos(now - missingSinceNanos.getAsLong());
  }

  /// The lease with this node's challenge in it; as it was read when another was faster.
  private LeaseRegister.Read challenged(LeaseRegister.Read read) throws IOException {
    Lease lease = read.lease();
    LOG.info(
        "the leader does not answer: waiting to see whether it lives [leader={}, address={},"
            + " wait={}]",
        lease.leader(),
        lease.address(),
        config.leaseSilenceMax());
    return register.replace(read, lease.challengedBy(self.id())).orElse(read);
  }

  /// How long this node has seen the lease challenged and otherwise unchanged.
  private synchronized Duration unanswered(Lease seen) {
    if (seen.challenger().isEmpty()) {
      return Duration.ZERO;
    }
    long now = world.clock().nanoTime();
    Challenge known = challenge;
    if (known == null || known.term != seen.term() || known.beat != seen.beat()) {
      known = new Challenge(seen.term(), seen.beat(), now);
      challenge = known;
    }
    return Duration.ofNanos(now - known.sinceNanos);
  }

  /// Whether nobody leads, as far as the lease itself tells.
  public boolean isFree(Lease lease) {
    return lease.isCleanStop() || isKnownDead(lease);
  }

  private boolean isKnownDead(Lease lease) {
    return !knownDead.isEmpty() && lease.leader().equals(knownDead);
  }

  /// Claims the lease; empty when its leader, or another by now, lives.
  ///
  /// @param first the lease whose leader is doubted
  public Optional<Won> claim(LeaseRegister.Read first) throws IOException, InterruptedException {
    LeaseRegister.Read read = first;
    while (true) {
      long now = world.clock().nanoTime();
      Lease seen = read.lease();
      switch (Claim.decide(seen, first.lease(), isKnownDead(seen), unanswered(seen), config)) {
        case TAKE_OVER -> {
          Optional<LeaseRegister.Read> claimed =
              register.replace(read, seen.claimedBy(self.id(), self.address()));
          if (claimed.isPresent()) {
            return Optional.of(new Won(seen, claimed.get(), now));
          }
        }
        case CHALLENGE -> {
          var _ = challenged(read);
        }
        case WAIT -> Await.pause(world, config.claimPollEvery());
        case LEADER_LIVES -> {
          return Optional.empty();
        }
      }
      read = register.read();
    }
  }
}
