package dev.holdfast.clusterstate;

import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Until when this node is known to be a member: what a leader last confirmed, and when.
final class Membership {
  private final World world;
  private final ClusterConfig config;
  private final LeaseRegister register;

  private long term;
  private long generation;
  private long contactNanos;
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
  synchronized void confirmed(Messages.Standing standing, long askedNanos) {
    if (standing.compareTo(term, generation) >= 0) {
      long trueNanos = askedNanos - standing.ageNanos();
      boolean isLater = term == 0 || trueNanos - contactNanos > 0;
      contactNanos = isLater ? trueNanos : contactNanos;
      term = standing.term();
      generation = standing.generation();
    }
  }

  /// A leader once confirmed that this node is a member, at an unknown time.
  synchronized void known(Messages.Standing standing) {
    if (standing.compareTo(term, generation) > 0) {
      if (term == 0) {
        contactNanos = world.clock().nanoTime() - config.serveMax().toNanos();
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
  boolean mayServe() {
    long arrivedNanos = world.clock().nanoTime();
    while (true) {
      Look looking;
      synchronized (this) {
        long now = world.clock().nanoTime();
        if (term > 0 && now - contactNanos < config.serveMax().toNanos()) {
          return true;
        }
        looking = lookFor(arrivedNanos, now);
      }
      Sight sight = await(looking.found, config.leaseReadEvery());
      if (sight != Sight.CHALLENGED || looking.startNanos - arrivedNanos >= 0) {
        return sight != Sight.LOST;
      }
    }
  }

  /// What the lease says of this node's membership.
  private enum Sight {
    /// Nothing that this node does not know of, and nobody doubts the leader: so it will be for a
    /// while.
    SETTLED,
    /// The same, but another may take over at any moment: true when the lease was read, no longer.
    CHALLENGED,
    /// Someone was evicted, or another leads, or the lease can't be read.
    LOST
  }

  private record Look(long startNanos, CompletableFuture<Sight> found) {
    boolean serves(long arrivedNanos, long now, Duration fresh) {
      if (!found.isDone()) {
        return true;
      }
      boolean isFresh = now - startNanos < fresh.toNanos();
      return found.getNow(Sight.LOST) == Sight.CHALLENGED
          ? startNanos - arrivedNanos >= 0
          : isFresh;
    }
  }

  /// The last look at the lease, if it will do, or one begun now.
  private Look lookFor(long arrivedNanos, long now) {
    Look last = look;
    if (last != null && last.serves(arrivedNanos, now, config.leaseReadEvery())) {
      return last;
    }
    Look begun = new Look(now, new CompletableFuture<>());
    look = begun;
    var _ = world.tasks().start("lease-look", () -> look(begun.found));
    return begun;
  }

  private void look(CompletableFuture<Sight> found) {
    try {
      Lease lease = register.read().lease();
      found.complete(
          !isKnown(lease)
              ? Sight.LOST
              : lease.challenger().isEmpty() ? Sight.SETTLED : Sight.CHALLENGED);
    } catch (IOException | RuntimeException e) {
      found.complete(Sight.LOST);
      throw new IllegalStateException("the lease cannot be read", e);
    }
  }

  private Sight await(CompletableFuture<Sight> found, Duration max) {
    try {
      return world.sleeper().get(found, max);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Sight.LOST;
    } catch (TimeoutException | ExecutionException e) {
      return Sight.LOST;
    }
  }
}
