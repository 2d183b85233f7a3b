package dev.holdfast.translog;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which shards still need which files of this node's log (§6.2). A file that no shard needs, and
/// before which no file is needed, is deleted once the cluster state knows that it may be: always
/// the oldest first, so that the names left are consecutive and a recovering node finds the end of
/// the log.
final class LogReferences implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogReferences.class);
  private static final int DELETE_BATCH_MAX = 1000;

  private final World world;
  private final ObjectStore store;
  private final Ownership ownership;
  private final LongSupplier durable;
  private final TreeMap<Long, Set<ShardId>> needed = new TreeMap<>();
  private long deletableBelow;
  private boolean isDeleting;
  private boolean isClosed;

  LogReferences(World world, ObjectStore store, Ownership ownership, LongSupplier durable) {
    this.world = world;
    this.store = store;
    this.ownership = ownership;
    this.durable = durable;
  }

  synchronized void add(long ordinal, ShardId shard) {
    Promise.keep(
        needed.isEmpty() || ordinal >= needed.lastKey(),
        "files of the log are filled in order",
        "ordinal",
        ordinal);
    needed.computeIfAbsent(ordinal, o -> new HashSet<>()).add(shard);
  }

  synchronized void release(ShardId shard, long belowOrdinal) {
    for (Map.Entry<Long, Set<ShardId>> file : needed.headMap(belowOrdinal).entrySet()) {
      file.getValue().remove(shard);
    }
    deleteSoon();
  }

  /// The first ordinal that some shard would need; [Long#MAX_VALUE] for none.
  ///
  /// @param releasing as if these shards needed nothing below these ordinals
  synchronized long low(Map<ShardId, Long> releasing) {
    for (Map.Entry<Long, Set<ShardId>> file : needed.entrySet()) {
      for (ShardId shard : file.getValue()) {
        if (releasing.getOrDefault(shard, 0L) <= file.getKey()) {
          return file.getKey();
        }
      }
    }
    return Long.MAX_VALUE;
  }

  synchronized void deletable(long belowOrdinal) {
    deletableBelow = Math.max(deletableBelow, belowOrdinal);
    deleteSoon();
  }

  private synchronized void deleteSoon() {
    if (!isDeleting
        && !isClosed
        && !needed.isEmpty()
        && needed.firstKey() < deletableBelow
        && needed.firstEntry().getValue().isEmpty()) {
      isDeleting = true;
      Tasks.Task _ =
          world.tasks().start("translog-delete", this::deleteUnneeded, () -> isDeleting = false);
    }
  }

  /// Shards that need it, by file.
  synchronized SortedMap<Long, SortedSet<String>> byFile() {
    SortedMap<Long, SortedSet<String>> files = new TreeMap<>();
    needed.forEach((ordinal, shards) -> {
      SortedSet<String> names = new TreeSet<>();
      shards.forEach(shard -> names.add(shard.toString()));
      files.put(ordinal, names);
    });
    return files;
  }

  synchronized int files() {
    return (int) needed.values().stream().filter(shards -> !shards.isEmpty()).count();
  }

  private void deleteUnneeded() throws IOException {
    try {
      long durableNow = durable.getAsLong();
      while (true) {
        List<Long> ordinals = takeUnneeded(durableNow);
        if (ordinals.isEmpty()) {
          return;
        }
        boolean isAnswered = false;
        boolean isMember;
        try {
          isMember = delete(ordinals);
          isAnswered = true;
        } finally {
          if (!isAnswered) {
            keep(ordinals);
          }
        }
        if (!isMember) {
          return;
        }
      }
    } finally {
      synchronized (this) {
        isDeleting = false;
      }
    }
  }

  /// The commits that made these files unneeded are in the store; the lease is read after that and
  /// before deleting (§6.2).
  ///
  /// @return false when this node was evicted
  private boolean delete(List<Long> ordinals) throws IOException {
    String node = ownership.nodeEphemeralId();
    if (!ownership.isStillMember()) {
      LOG.warn("not deleting translog files: this node was evicted [files={}]", ordinals.size());
      return false;
    }
    store.deleteAll(ordinals.stream().map(ordinal -> LogFile.key(node, ordinal)).toList());
    return true;
  }

  /// They are still there, and deleted with the next.
  private synchronized void keep(List<Long> ordinals) {
    ordinals.forEach(ordinal -> needed.put(ordinal, new HashSet<>()));
  }

  private synchronized List<Long> takeUnneeded(long durableNow) {
    List<Long> ordinals = new ArrayList<>();
    while (ordinals.size() < DELETE_BATCH_MAX
        && !needed.isEmpty()
        && needed.firstKey() < durableNow // the newest shows evictors where the log ends
        && needed.firstKey() < deletableBelow
        && needed.firstEntry().getValue().isEmpty()) {
      ordinals.add(needed.pollFirstEntry().getKey());
    }
    return ordinals;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
  }
}
