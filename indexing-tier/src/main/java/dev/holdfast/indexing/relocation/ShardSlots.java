package dev.holdfast.indexing.relocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.allocation.ShardLoad;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.gc.DeletedFolders;
import dev.holdfast.indexing.gc.HollowGarbage;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.notice.IndexingShardInfo;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A slot for each shard that this node owns or still holds something of, as the cluster state
/// says.
public final class ShardSlots {
  private final NodeParts node;
  private final MappingFactory factory;
  private final HollowGarbage hollowGarbage;
  private final DeletedFolders deletedFolders;
  private final ShardReconciliation work;
  private final MoveWarming warming;
  private final ConcurrentHashMap<ShardId, ShardSlot> slots = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<IndexId, WriteMapping> mappings = new ConcurrentHashMap<>();
  private volatile boolean isClosed;

  /// To its end. Guarded by this.
  private @Nullable ClusterState followed;

  /// A state was not followed to its end. Written under this.
  private volatile boolean isBehind;

  public ShardSlots(
      NodeParts node,
      MappingFactory factory,
      HollowGarbage hollowGarbage,
      DeletedFolders deletedFolders) {
    this.node = node;
    this.factory = factory;
    this.hollowGarbage = hollowGarbage;
    this.deletedFolders = deletedFolders;
    LogReplay logs =
        new LogReplay(
            node.world(), node.storage().store(), node.cluster().ownership().nodeEphemeralId());
    this.work = new ShardReconciliation(node, logs, this::mapping, this::gone);
    this.warming =
        new MoveWarming(
            node.world(),
            node.storage().store(),
            node.storage().inputs(),
            node.cluster().ownership(),
            node.storage().scratchFolder(),
            this::mapping);
  }

  public @Nullable ShardSlot get(ShardId shard) {
    return slots.get(shard);
  }

  /// Of this moment.
  public Collection<ShardSlot> all() {
    return slots.values();
  }

  public @Nullable IndexingShard openNow(ShardId shard) {
    ShardSlot slot = slots.get(shard);
    return slot == null ? null : slot.open();
  }

  public List<IndexingShard> open() {
    return slots.values().stream().map(ShardSlot::open).filter(Objects::nonNull).toList();
  }

  boolean isClosed() {
    return isClosed;
  }

  /// Somebody must work on a slot, as it said.
  public void work(ShardSlot slot) {
    work.start(slot);
  }

  /// A request waits for a shard that is not open, or that nobody has looked at yet.
  void demanded(ShardSlot slot) {
    work.demanded(slot);
  }

  /// Shards that wait to be opened.
  public int waiting() {
    return work.waiting();
  }

  /// What a request is told that needs a shard which is not open.
  public Refusal notOpen(ShardSlot slot) {
    return new Refusal(
        ErrorType.UNAVAILABLE_SHARDS,
        slot.shard + " primary shard is not active: " + slot.whyNotOpen(waiting()));
  }

  /// From now on the cluster state changes nothing here.
  public void close() {
    isClosed = true;
    work.stop();
  }

  /// Wants of each slot what the state says; blocks nowhere: it is called by the state's thread.
  public synchronized void follow(ClusterState now) {
    ClusterState before = followed;
    if (isClosed || (before != null && now.version() < before.version())) {
      return;
    }
    isBehind = true;
    String self = node.cluster().ownership().nodeEphemeralId();
    String caretaker = caretaker(now);
    boolean isSameCaretaker = before != null && caretaker(before).equals(caretaker);
    for (IndexMetadata index : now.indices().values()) {
      if (isSameCaretaker && now.hasSame(index, before)) {
        continue;
      }
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        ShardAssignment assignment = now.assignment(shard);
        warming.follow(shard, assignment);
        boolean isOurs =
            assignment.owner().equals(self)
                || (!index.isOpen() && assignment.owner().isEmpty() && caretaker.equals(self));
        ShardSlot slot = slots.get(shard);
        if (slot == null && isOurs) {
          slot = new ShardSlot(shard);
          if (UploadMarks.isUntouched(now, shard)) {
            slot.untouched();
          } else if (isAdded(before, index, number)) {
            var _ = slot.demand(); // writes to its documents wait already
          }
          slots.put(shard, slot);
        }
        if (slot != null) {
          if (before != null && before.assignment(shard).target().equals(self)) {
            var _ = slot.demand(); // it was in use where it came from
          }
          want(
              slot,
              wanted(index, assignment, self),
              index.primaryTerms().get(number),
              OnlineSplit.isNextSource(index, number));
        }
      }
    }
    for (ShardSlot slot : slots.values()) {
      IndexMetadata index = now.indices().get(slot.shard.index().name());
      if (index == null || !index.id().equals(slot.shard.index())) {
        want(slot, ShardSlot.Wanted.GONE, 0, false);
      }
    }
    followed = now;
    isBehind = false;
  }

  /// Follows the current state if something failed in the middle of that before.
  public void catchUp() {
    if (isBehind) {
      follow(node.cluster().metadata().current());
    }
  }

  /// Whether the index has just got the shard (decision 031).
  private static boolean isAdded(@Nullable ClusterState before, IndexMetadata index, int number) {
    IndexMetadata was = before == null ? null : before.indices().get(index.id().name());
    return was != null && was.id().equals(index.id()) && number >= was.shards();
  }

  private synchronized void followAnew() {
    followed = null;
    follow(node.cluster().metadata().current());
  }

  /// The member that deletes what is left of closed indices, which nobody owns.
  private static String caretaker(ClusterState now) {
    return now.members().values().stream()
        .filter(member -> member.roles().contains(Role.INDEX))
        .map(Member::id)
        .findFirst()
        .orElse("");
  }

  private static ShardSlot.Wanted wanted(
      IndexMetadata index, ShardAssignment assignment, String self) {
    if (!index.isOpen()) {
      return ShardSlot.Wanted.CLOSED;
    }
    if (!assignment.owner().equals(self)) {
      return ShardSlot.Wanted.LOST;
    }
    return assignment.target().isEmpty() ? ShardSlot.Wanted.OPEN : ShardSlot.Wanted.MOVED;
  }

  private void want(ShardSlot slot, ShardSlot.Wanted wanted, long term, boolean splits) {
    if (slot.want(wanted, term, splits)) {
      work.start(slot);
    }
  }

  private void gone(ShardSlot slot) {
    if (slots.remove(slot.shard, slot)) {
      hollowGarbage.forget(slot.shard);
      if (slots.keySet().stream().noneMatch(s -> s.index().equals(slot.shard.index()))) {
        mappings.remove(slot.shard.index());
      }
      if (slot.wanted() == ShardSlot.Wanted.GONE) {
        node.log().release(slot.shard, Long.MAX_VALUE);
        deletedFolders.add(slot.shard);
      } else {
        followAnew(); // it may have come back while it was being closed
      }
    }
  }

  private WriteMapping mapping(ShardId shard) {
    return mappings.computeIfAbsent(
        shard.index(),
        index ->
            new WriteMapping(node.cluster().metadata(), factory, index, node.config().threads()));
  }

  /// Every shard that this node owns.
  public List<IndexingShardInfo> sights() {
    List<IndexingShardInfo> sights = new ArrayList<>();
    for (ShardSlot slot : slots.values()) {
      IndexingShard open = slot.open();
      sights.add(
          open == null
              ? new IndexingShardInfo(slot.shard, slot.state(), slot.wantedTerm(), null)
              : open.sight());
    }
    return sights;
  }

  /// What the shards of this node cost it.
  public Map<ShardId, ShardLoad> loads() {
    Map<ShardId, ShardLoad> loads = new HashMap<>();
    for (ShardSlot slot : slots.values()) {
      IndexingShard open = slot.open();
      ShardStats last = slot.lastStats();
      if (open != null) {
        loads.put(slot.shard, open.load());
      } else if (last != null && slot.isHollow()) {
        loads.put(slot.shard, new ShardLoad(0, last.storeBytes()));
      }
    }
    return loads;
  }

  /// The newest commit of a shard that is hollow here: everything is in the store, and the newest
  /// commit there is the newest there is. Null when the shard is not hollow here.
  public @Nullable CommitNotice newestOfHollow(ShardId shard) throws IOException {
    ShardSlot slot = slots.get(shard);
    if (slot == null
        || !slot.isHollow()
        || slot.isUntouched()
        || slot.wanted() != ShardSlot.Wanted.OPEN) {
      return null;
    }
    long term = slot.wantedTerm();
    CommitStore commits = new CommitStore(node.storage().store(), shard);
    BlobId known = slot.newestBlob(term);
    CompoundCommit newest =
        known == null
            ? commits.newest().orElseThrow(() -> ShardNotHere.of(shard))
            : commits.newestOf(known);
    return slot.isHollow() && slots.get(shard) == slot
        ? new CommitNotice(
            shard,
            newest,
            Optional.of(newest.home()),
            node.cluster().metadata().current().version(),
            term)
        : null; // it woke meanwhile
  }
}
