package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.lease.HeldLease;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/// Whether a leader answers a challenge in its lease: not when it does not hear most members, and
/// may be the one that is cut off.
final class Challenges {
  private final World world;
  private final ClusterConfig config;
  private final HeldLease lease;
  private final PublishedState published;
  private final Followers followers;
  private OptionalLong yieldsSinceNanos = OptionalLong.empty();

  Challenges(Surroundings around, HeldLease lease, PublishedState published, Followers followers) {
    this.world = around.world();
    this.config = around.config();
    this.lease = lease;
    this.published = published;
    this.followers = followers;
  }

  /// Whether this leader lets a challenger take over.
  synchronized boolean yields(Lease seen) {
    if (seen.challenger().isEmpty()) {
      yieldsSinceNanos = OptionalLong.empty();
      return false;
    }
    long now = world.clock().nanoTime();
    Duration unanswered = Duration.ofNanos(now - yieldsSinceNanos.orElse(now));
    int members = published.current().members().size();
    if (!Yielding.isDue(members, followers.silent(), unanswered, config)) {
      return false;
    }
    yieldsSinceNanos = OptionalLong.of(yieldsSinceNanos.orElse(now));
    return true;
  }

  /// Looks at the lease when most are silent: one that lives challenges. Not all of them need be
  /// due: each eviction is a sign of life in the lease and would keep the challenger waiting.
  boolean isCutOff() throws IOException {
    if (followers.silent() * 2 <= published.current().members().size()) {
      return false;
    }
    Optional<LeaseRegister.Read> read = lease.read();
    return read.isPresent() && yields(read.get().lease());
  }
}
