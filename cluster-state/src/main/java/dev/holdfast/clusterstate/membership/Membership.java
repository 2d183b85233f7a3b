package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Begun;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Until when this node is known to be a member: what a leader last confirmed, and when. Two things
/// bound it: the leader may give this node up once it has not heard it for a while, and it may have
/// been replaced once it has not seen its lease for a while.
final class Membership {
  private final World world;
  private final ClusterConfig config;
  private final LeaseRegister register;

  // Guarded by this.
  private long term;
  private long generation;

  /// When the leader was asked that confirmed this node last.
  private long contactNanos;

  /// When that leader had seen that it leads.
  private long leaseNanos;

  /// This node leads: nobody evicts it.
  private boolean isLeading;

  private @Nullable Look look;

  Membership(World world, ClusterConfig config, LeaseRegister register) {
    this.world = world;
    this.config = config;
    this.register = register;
  }

  /// A leader confirmed that this node is a member.
  ///
  /// @param askedNanos when it was asked: what it said was true at that time, less its age, or
  ///   later
  synchronized void confirmed(MemberMessages.Standing standing, long askedNanos) {
    if (standing.compareTo(term, generation) >= 0) {
      long trueNanos = askedNanos - standing.ageNanos();
      boolean isFirst = term == 0;
      contactNanos = isFirst || askedNanos - contactNanos > 0 ? askedNanos : contactNanos;
      leaseNanos = isFirst || trueNanos - leaseNanos > 0 ? trueNanos : leaseNanos;
      term = standing.term();
      generation = standing.generation();
    }
  }

  /// This node leads, and saw then that it does.
  synchronized void leads(MemberMessages.Standing standing, long seenNanos) {
    isLeading = true;
    confirmed(standing, seenNanos);
  }

  /// A leader once confirmed that this node is a member, at an unknown time.
  synchronized void known(MemberMessages.Standing standing) {
    if (standing.compareTo(term, generation) > 0) {
      if (term == 0) {
        contactNanos = world.clock().nanoTime() - config.contactMax().toNanos();
        leaseNanos = world.clock().nanoTime() - config.serveMax().toNanos();
      }
      term = standing.term();
      generation = standing.generation();
    }
  }

  /// Whether the lease shows nothing that this node does not know of.
  synchronized boolean isKnown(Lease lease) {
    return lease.term() == term && lease.nodeLeftGeneration() == generation;
  }

  /// As [Ownership#mayServe]. Waits for the store for a moment at most.
  ///
  /// Whoever is not confirmed looks at the lease, after the request came: another may be given what
  /// this node has at any moment, and what was true when the lease was read is no longer.
  boolean mayServe() {
    long arrivedNanos = world.clock().nanoTime();
    while (true) {
      Look looking;
      synchronized (this) {
        if (isConfirmed(world.clock().nanoTime())) {
          return true;
        }
        looking = lookFor(arrivedNanos);
      }
      boolean isKnown = await(looking.found, config.leaseReadMax());
      if (!isKnown || looking.startNanos - arrivedNanos >= 0) {
        return isKnown;
      }
    }
  }

  private boolean isConfirmed(long now) {
    return term > 0
        && now - leaseNanos < config.serveMax().toNanos()
        && (isLeading || now - contactNanos < config.contactMax().toNanos());
  }

  private record Look(long startNanos, Begun<Boolean> found) {}

  /// The look under way, though it may have begun before the request came, or one begun now: one at
  /// a time.
  private Look lookFor(long arrivedNanos) {
    Look last = look;
    if (last != null && (!last.found.isDone() || last.startNanos - arrivedNanos >= 0)) {
      return last;
    }
    Look begun =
        new Look(
            world.clock().nanoTime(),
            Begun.of(world, "lease-look", () -> isKnown(register.read().lease())));
    look = begun;
    return begun;
  }

  private static boolean await(Begun<Boolean> found, Duration max) {
    try {
      return found.value(max);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    }
  }
}
