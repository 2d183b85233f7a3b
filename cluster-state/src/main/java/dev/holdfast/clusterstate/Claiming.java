package dev.holdfast.clusterstate;

import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the lease, doing what [Claim] decides until it holds it or knows that the leader lives.
final class Claiming {
  private static final Logger LOG = LoggerFactory.getLogger(Claiming.class);

  private final World world;
  private final LeaseRegister register;
  private final String knownDead;

  /// @param knownDead ephemeral id of a process that is certainly dead; empty for none
  Claiming(World world, LeaseRegister register, String knownDead) {
    this.world = world;
    this.register = register;
    this.knownDead = knownDead;
  }

  /// The lease as claimed.
  ///
  /// @throws IOException when another leader lives
  LeaseRegister.Read claim(String self, String address) throws IOException, InterruptedException {
    LeaseRegister.Read read = register.read();
    Lease first = read.lease();
    long challengedNanos = world.clock().nanoTime();
    while (true) {
      Duration unchanged = Duration.ofNanos(world.clock().nanoTime() - challengedNanos);
      boolean isKnownDead = !knownDead.isEmpty() && read.lease().leader().equals(knownDead);
      switch (Claim.decide(read.lease(), first, self, isKnownDead, unchanged)) {
        case TAKE_OVER -> {
          Optional<LeaseRegister.Read> claimed =
              register.replace(read, read.lease().claimedBy(self, address));
          if (claimed.isPresent()) {
            return claimed.get();
          }
        }
        case CHALLENGE -> {
          LOG.info(
              "another node holds the lease: waiting to see whether it lives [leader={}, address={}, wait={}]",
              read.lease().leader(),
              read.lease().address(),
              Claim.SILENCE_MAX);
          register.replace(read, read.lease().challengedBy(self));
          challengedNanos = world.clock().nanoTime();
        }
        case WAIT -> world.sleeper().sleep(Claim.POLL.dividedBy(5));
        case LEADER_LIVES ->
            throw new IOException(
                "another holdfast node leads the cluster in this store, and a store takes one node for now [leader="
                    + read.lease().leader()
                    + ", address="
                    + read.lease().address()
                    + "]");
      }
      read = register.read();
    }
  }
}
