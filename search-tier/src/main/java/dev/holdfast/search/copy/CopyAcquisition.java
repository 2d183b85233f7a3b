package dev.holdfast.search.copy;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StaleTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Gives copies to those who search them: waits for a first commit, wakes a copy that sleeps, and
/// says what keeps it from being opened when the time is over.
final class CopyAcquisition {
  private static final Duration POLL = Duration.ofMillis(10);

  private final World world;
  private final ObjectStore store;
  private final Metadata metadata;
  private final SearchConfig config;
  private final SearchCopyRecovery openings;
  private final SearchReports reports;
  private final Function<ShardId, @Nullable SearchShard> copies;
  private final SearchCopyRecovery.Started confirming;

  /// @param copies those of this node that may be searched; null for others
  /// @param confirming asks once more what is newest
  CopyAcquisition(
      World world,
      ObjectStore store,
      Metadata metadata,
      SearchConfig config,
      SearchCopyRecovery openings,
      SearchReports reports,
      Function<ShardId, @Nullable SearchShard> copies,
      SearchCopyRecovery.Started confirming) {
    this.world = world;
    this.store = store;
    this.metadata = metadata;
    this.config = config;
    this.openings = openings;
    this.reports = reports;
    this.copies = copies;
    this.confirming = confirming;
  }

  /// As [SearchCopies#openingMax].
  Duration openingMax(long timeoutMillis) {
    return config.openingMax(timeoutMillis);
  }

  /// As [SearchCopies#acquire(ShardId, long, Duration, BooleanSupplier)].
  OpenCommit acquire(ShardId shard, long dividedSince, Duration max, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    OpenCommit acquired =
        Await.found(
            world,
            max,
            POLL,
            () -> {
              OpenCommit opened = fitting(shard, dividedSince, acquireNow(shard));
              if (opened == null && isCancelled.getAsBoolean()) {
                throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
              }
              return opened;
            });
    if (acquired == null) {
      throw SearchCopies.unavailable(shard, whyNot(shard, max));
    }
    return acquired;
  }

  /// The commit, if it shows the documents that are wanted of the shard (decision 031); null when
  /// it shows those of another, too, and a newer one is on its way.
  ///
  /// @throws Refusal [StaleTarget] when it shows fewer
  private @Nullable OpenCommit fitting(
      ShardId shard, long dividedSince, @Nullable OpenCommit opened)
      throws IOException, InterruptedException {
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    if (opened == null
        || index == null
        || !index.id().equals(shard.index())
        || dividedSince == ShardTarget.ANY) {
      return opened;
    }
    long shown = index.dividedSince(shard.number(), opened.commit().primaryTerm());
    if (shown == dividedSince) {
      return opened;
    }
    opened.release();
    if (shown > dividedSince) {
      throw StaleTarget.of(shard);
    }
    boolean _ = openings.wake(shard, POLL);
    return null;
  }

  /// Null when there is none yet.
  private @Nullable OpenCommit acquireNow(ShardId shard) throws IOException, InterruptedException {
    SearchShard copy = copies.apply(shard);
    if (copy == null) {
      throw SearchCopies.unavailable(shard, "");
    }
    OpenCommit opened = acquire(shard, copy);
    if (opened == null) {
      Refusal damage = openings.damage(shard);
      if (damage != null) {
        throw new Refusal(ErrorType.CORRUPT_INDEX, damage.reason(), damage.getCause())
            .with("index", shard.index().name())
            .with("shard", String.valueOf(shard.number()));
      }
      metadata.current().requireOpen(shard);
    }
    return opened;
  }

  private @Nullable OpenCommit acquire(ShardId shard, SearchShard copy)
      throws IOException, InterruptedException {
    reports.searched(shard, copy.recency);
    if (!copy.isConfirmed()) {
      var _ = world.tasks().start("confirm-copy", () -> confirming.started(shard));
      throw SearchCopies.unavailable(shard, whyNotNow(shard)); // another may be asked meanwhile
    }
    OpenCommit opened = copy.acquire();
    if (opened == null) {
      copy.wake();
      opened = openings.wake(shard, POLL) ? copy.acquire() : null;
    }
    return opened;
  }

  private String whyNot(ShardId shard, Duration waited) {
    String why = whyNotNow(shard);
    String late =
        waited.isPositive()
            ? "its newest commit was not opened within " + waited.toMillis() + "ms"
            : "its newest commit is not open, and the search has waited for other shards in vain";
    return why.isEmpty() ? late : late + ": " + why;
  }

  /// What keeps a copy from being opened, as far as that is known here: the store, of which its
  /// owner waits for the same answers, or what the owner said. Empty when nothing is known.
  private String whyNotNow(ShardId shard) {
    Optional<StoreTrouble> trouble = store.longestTrouble();
    if (trouble.isPresent()) {
      return "the object store fails, " + trouble.get().sentence();
    }
    return openings.failure(shard);
  }
}
