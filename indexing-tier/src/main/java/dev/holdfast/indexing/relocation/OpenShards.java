package dev.holdfast.indexing.relocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.objectstore.GivingUp;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.concurrent.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Finds the open shard of a request: one that is being opened is waited for, a hollow one wakes.
public final class OpenShards {
  private static final Duration POLL = Duration.ofMillis(2);

  /// A look takes a few requests to the store; what takes longer is opened.
  private static final Duration LOOK_MAX = Duration.ofSeconds(2);

  /// A store that has refused what an opening needs for so long may do so for much longer.
  private static final Duration REFUSED_MAX = Duration.ofSeconds(3);

  /// Whoever waits for a document is told after that time that the store does not give it.
  private static final Duration READ_MAX = Duration.ofSeconds(10);

  private final World world;
  private final ObjectStore store;
  private final IndexingConfig config;
  private final Metadata metadata;
  private final Ownership ownership;
  private final ShardSlots slots;

  public OpenShards(
      World world,
      ObjectStore store,
      IndexingConfig config,
      Metadata metadata,
      Ownership ownership,
      ShardSlots slots) {
    this.world = world;
    this.store = store;
    this.config = config;
    this.metadata = metadata;
    this.ownership = ownership;
    this.slots = slots;
  }

  /// The open shard; waits a while for one that is being opened, and wakes a hollow one.
  public IndexingShard opened(ShardId shard) throws InterruptedException {
    Duration max = Patience.SHARD.atMost(config.openingMax());
    IndexingShard found = Await.found(world, max, POLL, () -> openedNow(shard));
    if (found == null) {
      throw notOpened(shard, max);
    }
    return found;
  }

  /// The same, if it has the documents that who asks believes it to have.
  ///
  /// @param dividedSince [IndexMetadata#dividedSince(int)] as who asks knows it, or
  ///   [ShardOwner#ANY]
  /// @throws Refusal as [ShardNotHere] when another shard may have what is asked for
  public IndexingShard opened(ShardId shard, long dividedSince) throws InterruptedException {
    IndexingShard open = opened(shard);
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    if (dividedSince != ShardOwner.ANY
        && index != null
        && index.id().equals(shard.index())
        && index.dividedSince(shard.number(), open.engine.primaryTerm) != dividedSince) {
      throw ShardNotHere.of(shard);
    }
    return open;
  }

  /// The document as of now. A shard that is closed meanwhile, and stays ours, is asked again when
  /// it is open again.
  ///
  /// @param dividedSince as in [#opened(ShardId, long)]
  public IndexingReads.RealTimeDocument find(ShardId shard, long dividedSince, String id)
      throws IOException, InterruptedException {
    IndexingShard open = opened(shard, dividedSince);
    while (true) {
      try {
        return read(open, id);
      } catch (Refusal e) {
        IndexingShard now = opened(shard, dividedSince);
        if (now == open) {
          throw e;
        }
        open = now;
      }
    }
  }

  /// @throws Refusal `timeout_exception` when the store fails what the document is read from
  private IndexingReads.RealTimeDocument read(IndexingShard open, String id)
      throws IOException, InterruptedException {
    long endNanos = world.clock().nanoTime() + Patience.SHARD.atMost(READ_MAX).toNanos();
    try {
      return GivingUp.<IndexingReads.RealTimeDocument, Exception>allowed(
          () -> world.clock().nanoTime() - endNanos >= 0, () -> open.find(id));
    } catch (IOException e) {
      Refusal unreadable = unreadable(open.engine.shard, id, e);
      if (unreadable != null) {
        throw unreadable;
      }
      throw e;
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a document was not read", e);
    }
  }

  /// Null when it is not the store that keeps a document from being read.
  private @Nullable Refusal unreadable(ShardId shard, String id, IOException failure) {
    if (CorruptObjectException.in(failure) != null) {
      return null;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StoreException.Unavailable fault) {
        return unreadable(id, fault.failure(), String.valueOf(fault.getMessage()), failure);
      }
    }
    StoreTrouble trouble = store.trouble(shard.folder()).orElse(null); // another waits for it
    return trouble == null ? null : unreadable(id, trouble.failure(), trouble.message(), failure);
  }

  private static Refusal unreadable(
      String id, StoreFailure fault, String message, IOException failure) {
    Refusal told =
        new Refusal(
            ErrorType.TIMEOUT,
            "["
                + id
                + "]: the document cannot be read: the object store fails, "
                + StoreTrouble.sentence(fault, message),
            failure);
    return StoreTrouble.telling(told, fault);
  }

  /// Refuses who asks for documents that a shard has given away, open or not.
  ///
  /// @throws Refusal as [ShardNotHere]
  public void requireUndivided(ShardId shard, long dividedSince) {
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    if (dividedSince != ShardOwner.ANY
        && index != null
        && index.id().equals(shard.index())
        && index.dividedSince(shard.number()) > dividedSince) {
      throw ShardNotHere.of(shard);
    }
  }

  /// Waits a while for a shard that nobody has looked at yet, as after a start: one that needs no
  /// replay is found to be hollow, and searches need no more than what lies in the store.
  public void awaitLook(ShardId shard) throws InterruptedException {
    ShardSlot slot = slots.get(shard);
    if (slot == null || slot.isSeen()) {
      return;
    }
    if (slot.askFor()) {
      slots.demanded(slot);
    }
    boolean _ =
        Await.until(
            world,
            LOOK_MAX,
            POLL,
            () -> slot.isSeen() || slots.isClosed() || slot.wanted() != ShardSlot.Wanted.OPEN);
  }

  /// The open shard; null when it is not open yet, which it is asked to be.
  private @Nullable IndexingShard openedNow(ShardId shard) {
    ShardSlot slot = slots.get(shard);
    IndexingShard open = slot == null ? null : slot.open();
    if (open != null && open.engine.isOpen()) {
      return open;
    }
    ClusterState state = metadata.current();
    if (isToCome(state, shard)) {
      throw ShardNotHere.of(shard);
    }
    state.requireOpen(shard);
    if (!isOurs(shard)) {
      throw ShardNotHere.of(shard);
    }
    CorruptObjectException damage = slot == null ? null : slot.damage();
    if (damage != null) {
      // No 503: nobody is to wait until somebody has mended it.
      throw new Refusal(
          ErrorType.CORRUPT_INDEX,
          shard + " primary shard is not active: " + damage.getMessage(),
          Refusal.corrupt(damage));
    }
    Refusal fullDisk = slot == null ? null : slot.fullDisk();
    if (fullDisk != null) {
      throw fullDisk; // it may last: who waits is told at once
    }
    if (slot != null && slot.isHollow() && slot.wake()) {
      slots.work(slot);
    }
    if (slot != null && slot.demand()) {
      slots.demanded(slot);
    }
    if (slots.isClosed()) {
      throw notOpened(shard, Duration.ZERO);
    }
    requireStore(shard);
    return null;
  }

  /// Whether it may have been added to its index in a state that this node has not heard of yet.
  private static boolean isToCome(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    return index != null && index.id().equals(shard.index()) && shard.number() >= index.shards();
  }

  /// Who waits for a store that refuses is told at once.
  private void requireStore(ShardId shard) {
    StoreTrouble trouble = store.trouble(shard.folder()).orElse(null);
    if (trouble != null && trouble.failure().isRefusal()) {
      Duration since = Duration.ofNanos(world.clock().nanoTime() - trouble.sinceNanos());
      if (since.compareTo(REFUSED_MAX) >= 0) {
        throw trouble.refusal(since);
      }
    }
  }

  private Refusal notOpened(ShardId shard, Duration waited) {
    ShardSlot slot = slots.get(shard);
    return new Refusal(
        ErrorType.UNAVAILABLE_SHARDS,
        shard
            + " primary shard is not active Timeout: ["
            + waited.toSeconds()
            + "s], "
            + (slot == null ? "it is not here yet" : slot.whyNotOpen(slots.waiting())));
  }

  /// The open shard; one that is closing and stays ours is waited for until it is open again.
  public IndexingShard forWrites(ShardId shard) throws InterruptedException {
    AtomicReference<@Nullable IndexingShard> last = new AtomicReference<>();
    boolean _ =
        Await.until(
            world,
            config.openingMax(),
            POLL,
            () -> {
              IndexingShard open = opened(shard);
              last.set(open);
              return open.takesWrites() || !isOurs(shard);
            });
    return Objects.requireNonNull(last.get());
  }

  private boolean isOurs(ShardId shard) {
    ShardAssignment now = metadata.current().assignment(shard);
    return now.owner().equals(ownership.nodeEphemeralId()) && now.target().isEmpty();
  }

  /// Waits until this node has heard of a version of the cluster state.
  public void awaitState(ShardId shard, long stateVersion) throws InterruptedException {
    boolean hasHeard =
        Await.until(
            world,
            config.openingMax(),
            POLL,
            () -> slots.isClosed() || metadata.current().version() >= stateVersion);
    if (!hasHeard || metadata.current().version() < stateVersion) {
      throw ShardNotHere.of(shard);
    }
  }
}
