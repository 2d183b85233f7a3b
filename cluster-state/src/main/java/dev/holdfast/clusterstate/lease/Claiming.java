package dev.holdfast.clusterstate.lease;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
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
    // From when the challenge was read, not from when it was sent: until it is there, which may
    // take
    // its time, the leader sees none.
    OptionalLong challengedNanos = OptionalLong.empty();
    while (true) {
      long now = world.clock().nanoTime();
      Lease seen = read.lease();
      challengedNanos =
          seen.challenger().isEmpty()
              ? OptionalLong.empty()
              : OptionalLong.of(challengedNanos.orElse(now));
      Duration unanswered = Duration.ofNanos(now - challengedNanos.orElse(now));
      switch (Claim.decide(seen, first.lease(), isKnownDead(seen), unanswered, config)) {
        case TAKE_OVER -> {
          Optional<LeaseRegister.Read> claimed =
              register.replace(read, seen.claimedBy(self.id(), self.address()));
          if (claimed.isPresent()) {
            return Optional.of(new Won(seen, claimed.get(), now));
          }
        }
        case CHALLENGE -> {
          LOG.info(
              "the leader does not answer: waiting to see whether it lives [leader={}, address={},"
                  + " wait={}]",
              seen.leader(),
              seen.address(),
              config.leaseSilenceMax());
          var _ = register.replace(read, seen.challengedBy(self.id()));
        }
        case WAIT -> world.sleeper().sleep(config.claimPollEvery());
        case LEADER_LIVES -> {
          return Optional.empty();
        }
      }
      read = register.read();
    }
  }
}
