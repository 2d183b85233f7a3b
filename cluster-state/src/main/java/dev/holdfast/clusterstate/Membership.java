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
  private @Nullable CompletableFuture<Boolean> look;
  private long lookNanos;

  Membership(World world, ClusterConfig config, LeaseRegister register) {
    this.world = world;
    this.config = config;
    this.register = register;
  }

  /// A leader confirmed that this node is a member.
  ///
  /// @param askedNanos when it was asked: what it said was true at that time or later
  synchronized void confirmed(Messages.Standing standing, long askedNanos) {
    if (standing.compareTo(term, generation) >= 0) {
      boolean isLater = term == 0 || askedNanos - contactNanos > 0;
      contactNanos = isLater ? askedNanos : contactNanos;
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
    CompletableFuture<Boolean> looking;
    synchronized (this) {
      long now = world.clock().nanoTime();
      if (term > 0 && now - contactNanos < config.serveMax().toNanos()) {
        return true;
      }
      CompletableFuture<Boolean> last = look;
      boolean isFresh = now - lookNanos < config.leaseReadEvery().toNanos();
      if (last != null && (!last.isDone() || isFresh)) {
        looking = last;
      } else {
        looking = new CompletableFuture<>();
        look = looking;
        lookNanos = now;
        var _ = world.tasks().start("lease-look", () -> look(looking));
      }
    }
    return await(looking, config.leaseReadEvery());
  }

  private void look(CompletableFuture<Boolean> looking) {
    try {
      looking.complete(isKnown(register.read().lease()));
    } catch (IOException | RuntimeException e) {
      looking.complete(false);
      throw new IllegalStateException("the lease cannot be read", e);
    }
  }

  private boolean await(CompletableFuture<Boolean> looking, Duration max) {
    try {
      return world.sleeper().get(looking, max);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    }
  }
}
