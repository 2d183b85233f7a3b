package dev.holdfast.search.copy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.call.RefusalCodec;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.concurrent.Begun;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings new search copies to where they may be searched (§4.1): asks the owner for its newest
/// commit, opens it, and says so in the cluster state; many copies in one update.
final class SearchCopyRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(SearchCopyRecovery.class);
  private static final int OPENINGS_MAX = 16;
  private static final Duration RETRY = Duration.ofMillis(100);

  /// Copies that open within this time of each other are made known together.
  private static final Duration GATHER = Duration.ofMillis(10);

  private final World world;
  private final Metadata metadata;
  private final Ownership ownership;
  private final IndexingReads indexing;
  private final Opening opening;
  private final CopyWarming.Warming warming;
  private final Started started;
  private final Semaphore permits = new Semaphore(OPENINGS_MAX);
  private final ConcurrentHashMap<ShardId, Integer> asking = new ConcurrentHashMap<>();

  /// Why the newest commit of a copy was not opened when that was last tried.
  private final ConcurrentHashMap<ShardId, Refusal> failures = new ConcurrentHashMap<>();

  private final ConcurrentHashMap<ShardId, Begun<Boolean>> waking = new ConcurrentHashMap<>();
  private final Set<ShardId> underWay = ConcurrentHashMap.newKeySet();

  // Guarded by this.
  private List<Opened> opened = new ArrayList<>();
  private boolean isTelling;

  /// Opens the commit of a notice.
  @FunctionalInterface
  interface Opening {
    void open(CommitNotice notice) throws IOException;
  }

  /// Hears that the cluster state knows a copy as started.
  @FunctionalInterface
  interface Started {
    void started(ShardId shard) throws InterruptedException;
  }

  /// A copy that was opened on the word of an owner.
  private record Opened(ShardId shard, String owner) {}

  SearchCopyRecovery(
      World world,
      Metadata metadata,
      Ownership ownership,
      IndexingReads indexing,
      Opening opening,
      CopyWarming.Warming warming,
      Started started) {
    this.world = world;
    this.metadata = metadata;
    this.ownership = ownership;
    this.indexing = indexing;
    this.opening = opening;
    this.warming = warming;
    this.started = started;
  }

  /// Begins to open a copy, unless that is under way.
  void add(ShardId shard) {
    if (underWay.add(shard)) {
      var _ =
          world
              .tasks()
              .start("open-copy", () -> openUntilStarted(shard), () -> underWay.remove(shard));
    }
  }

  /// Begins what is still to be opened and is not under way.
  void look() {
    ClusterState state = metadata.current();
    String self = ownership.nodeEphemeralId();
    state
        .indices()
        .values()
        .forEach(index -> {
          for (int number = 0; index.isOpen() && number < index.shards(); number++) {
            ShardId shard = new ShardId(index.id(), number);
            if (state.assignment(shard).copies().get(self) == Copy.STARTING) {
              add(shard);
            }
          }
        });
  }

  /// Has the newest commit opened for a copy that slept, unless that is under way: of all searches
  /// that want a shard one waits for a store that fails.
  ///
  /// @param max how long to wait for it
  /// @return whether it has ended, well or not; else it goes on
  boolean wake(ShardId shard, Duration max) throws InterruptedException {
    Begun<Boolean> begun =
        Objects.requireNonNull(
            waking.compute(
                shard,
                (_, last) ->
                    last != null
                        ? last
                        : Begun.of(
                            world,
                            "wake-copy",
                            () -> {
                              openNow(shard);
                              return true;
                            })));
    try {
      return begun.value(max);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof IOException || e.getCause() instanceof Refusal)) {
        throw new IllegalStateException("a copy was not opened [shard=" + shard + "]", e);
      }
      LOG.debug("the newest commit can't be asked for yet [shard={}]", shard, e.getCause());
      return true;
    } finally {
      if (begun.isDone()) {
        waking.remove(shard, begun);
      }
    }
  }

  /// Opens the newest commit of a copy.
  void openNow(ShardId shard) throws IOException, InterruptedException {
    asking.merge(shard, 1, Integer::sum);
    try {
      String self = ownership.nodeEphemeralId();
      opening.open(indexing.newest(shard, self, metadata.current().version()));
      failures.remove(shard);
    } catch (IOException | RuntimeException e) {
      Refusal damage = damageIn(e);
      failures.put(shard, damage == null ? RefusalCodec.of(e) : damage);
      throw e;
    } finally {
      asking.computeIfPresent(shard, (_, askers) -> askers == 1 ? null : askers - 1);
    }
  }

  /// The damage behind a failure, met here or by the owner; null when there is none.
  private static @Nullable Refusal damageIn(Throwable failure) {
    CorruptObjectException damage = CorruptObjectException.in(failure);
    if (damage != null) {
      return Refusal.corrupt(damage);
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof Refusal refusal && refusal.type() == ErrorType.CORRUPT_INDEX) {
        return refusal;
      }
    }
    return null;
  }

  /// The damage that kept a copy from being opened when that was last tried; null when none did.
  @Nullable Refusal damage(ShardId shard) {
    Refusal failure = failures.get(shard);
    return failure != null && failure.type() == ErrorType.CORRUPT_INDEX ? failure : null;
  }

  /// Why a copy was not opened when that was last tried; empty when it was, or never tried.
  String failure(ShardId shard) {
    Refusal failure = failures.get(shard);
    return failure == null ? "" : failure.reason();
  }

  /// Forgets shards that have no copy here any more.
  void keepOnly(Predicate<ShardId> isKnown) {
    failures.keySet().removeIf(isKnown.negate());
  }

  /// Whether a commit may be on its way here that nobody knows yet.
  boolean isAsking(ShardId shard) {
    return asking.containsKey(shard);
  }

  private void openUntilStarted(ShardId shard) throws InterruptedException {
    try {
      while (isStarting(shard)) {
        String owner = metadata.current().assignment(shard).owner();
        if (!owner.isEmpty() && open(shard)) {
          warming.warm(shard);
          tell(new Opened(shard, owner));
          return;
        }
        Await.pause(world, RETRY);
      }
    } finally {
      underWay.remove(shard);
      if (!isStarting(shard)) {
        failures.remove(shard);
      }
    }
  }

  private boolean isStarting(ShardId shard) {
    return metadata.current().assignment(shard).copies().get(ownership.nodeEphemeralId())
        == Copy.STARTING;
  }

  private boolean open(ShardId shard) throws InterruptedException {
    permits.acquire();
    try {
      openNow(shard);
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.debug("a search copy can't be opened yet [shard={}]", shard, e);
      return false;
    } finally {
      permits.release();
    }
  }

  private void tell(Opened copy) {
    synchronized (this) {
      opened.add(copy);
      if (isTelling) {
        return;
      }
      isTelling = true;
    }
    var _ = world.tasks().start("copies-started", this::tellAll, this::notTelling);
  }

  private synchronized void notTelling() {
    isTelling = false;
  }

  private void tellAll() throws InterruptedException {
    while (true) {
      Await.pause(world, GATHER);
      List<Opened> now;
      synchronized (this) {
        now = opened;
        opened = new ArrayList<>();
        if (now.isEmpty()) {
          isTelling = false;
          return;
        }
      }
      try {
        ClusterState _ = metadata.update("search copies started", state -> started(state, now));
        for (Opened copy : now) {
          var _ = world.tasks().start("copy-started", () -> started.started(copy.shard));
        }
      } catch (RuntimeException | Error e) { // nobody else tells while this one does
        LOG.info("search copies could not be made known, tried again [copies={}]", now.size(), e);
      }
    }
  }

  /// Only what the present owner said counts: another may have newer commits.
  private ClusterState started(ClusterState state, List<Opened> copies) {
    Map<ShardId, ShardAssignment> changed = new LinkedHashMap<>();
    String self = ownership.nodeEphemeralId();
    for (Opened copy : copies) {
      ShardAssignment now = state.assignment(copy.shard);
      if (now.copies().get(self) == Copy.STARTING && now.owner().equals(copy.owner)) {
        changed.put(copy.shard, now.withCopy(self, Copy.STARTED));
      }
    }
    return state.withAssignments(changed);
  }
}
