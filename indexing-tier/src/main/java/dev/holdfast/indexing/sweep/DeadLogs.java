package dev.holdfast.indexing.sweep;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.translog.LogContents;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.translog.LogSweep;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The logs of nodes that left the cluster: each goes when no shard has needed it for the grace
/// (§6.2). Guarded by the sweep, which runs as one task.
final class DeadLogs {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLogs.class);

  private final World world;
  private final Metadata metadata;
  private final Ownership ownership;
  private final LogSweep logs;
  private final LogOwners owners;
  private final LogContents contents;
  private final Duration grace;
  private final SortedMap<String, Long> unneededSinceNanos = new TreeMap<>();
  private Seen seen = Seen.NOTHING;
  private long deleted;

  DeadLogs(
      World world,
      ObjectStore store,
      Metadata metadata,
      Ownership ownership,
      Function<String, SweptShards> members,
      Duration grace) {
    this.world = world;
    this.metadata = metadata;
    this.ownership = ownership;
    this.logs =
        new LogSweep(store, ownership, new LogReplay(world, store, ownership.nodeEphemeralId()));
    this.owners = new LogOwners(store, metadata, members);
    this.contents = new LogContents(store);
    this.grace = grace;
  }

  /// What the last look found.
  ///
  /// @param held by node: a shard that may need its log
  record Seen(long files, long fences, int unreadableShards, SortedMap<String, String> held) {
    static final Seen NOTHING = new Seen(0, 0, 0, new TreeMap<>());
  }

  Seen seen() {
    return seen;
  }

  /// Files deleted since the process began.
  long deleted() {
    return deleted;
  }

  Map<String, Long> unneededSinceNanos() {
    return unneededSinceNanos;
  }

  boolean isDue(long nowNanos) {
    return unneededSinceNanos.values().stream()
        .anyMatch(since -> nowNanos - since >= grace.toNanos());
  }

  void forget() {
    unneededSinceNanos.clear();
  }

  /// A shard whose newest commit cannot be read may need each log that has operations of it.
  private void addUnreadable(
      SortedMap<String, String> held,
      SortedMap<String, LogSweep.Folder> dead,
      List<ShardId> unreadable) {
    if (unreadable.isEmpty()) {
      contents.forget();
    }
    for (ShardId shard : unreadable) {
      for (LogSweep.Folder folder : dead.values()) {
        if (!held.containsKey(folder.node()) && mayHold(folder, shard)) {
          held.put(folder.node(), shard + ", whose newest commit cannot be read");
        }
      }
    }
  }

  private boolean mayHold(LogSweep.Folder folder, ShardId shard) {
    try {
      return contents.hold(folder, shard);
    } catch (IOException | RuntimeException e) {
      LOG.warn("the log of a dead node cannot be read and is kept [node={}]", folder.node(), e);
      return true;
    }
  }

  /// Deletes what has been needed by nobody for the whole grace. The members are read after the
  /// LIST: a node is a member before its first file.
  ///
  /// @param unknown folders of no index of the state that may need logs all the same
  void collect(List<ShardId> unknown) throws IOException, InterruptedException {
    SortedMap<String, LogSweep.Folder> dead = logs.folders();
    dead.keySet().removeAll(metadata.current().members().keySet());
    dead.remove(ownership.nodeEphemeralId());
    long fences = dead.values().stream().mapToLong(LogSweep.Folder::fences).sum();
    dead.values().removeIf(folder -> folder.files().isEmpty());
    long files = dead.values().stream().mapToLong(folder -> folder.files().size()).sum();
    LogOwners.Needed needed =
        dead.isEmpty() ? new LogOwners.Needed(new TreeMap<>(), List.of()) : owners.find(unknown);
    SortedMap<String, String> held = new TreeMap<>(needed.shardOf());
    held.keySet().retainAll(dead.keySet());
    addUnreadable(held, dead, needed.unreadable());
    seen = new Seen(files, fences, needed.unreadable().size(), held);
    dead.keySet().removeAll(held.keySet());
    unneededSinceNanos.keySet().retainAll(dead.keySet());
    List<LogSweep.Folder> due = new ArrayList<>();
    long nowNanos = world.clock().nanoTime();
    for (LogSweep.Folder folder : dead.values()) {
      long sinceNanos = unneededSinceNanos.computeIfAbsent(folder.node(), _ -> nowNanos);
      if (nowNanos - sinceNanos >= grace.toNanos()) {
        due.add(folder);
      }
    }
    delete(due);
  }

  /// The state first forgets that the files must be there.
  private void delete(List<LogSweep.Folder> due) throws IOException, InterruptedException {
    if (due.isEmpty() || !ownership.isStillMember()) {
      return;
    }
    ClusterState after =
        metadata.update(
            "logs of dead nodes are not needed",
            state -> {
              ClusterState left = state;
              for (LogSweep.Folder folder : due) {
                if (!state.members().containsKey(folder.node())
                    && !UploadMarks.needsLog(state, folder.node())) {
                  left = UploadMarks.withoutBounds(left, folder.node());
                }
              }
              return left;
            });
    for (LogSweep.Folder folder : due) {
      if (UploadMarks.bounds(after, folder.node()) != null
          || UploadMarks.needsLog(after, folder.node())) {
        continue;
      }
      int gone = logs.delete(folder);
      deleted += gone;
      if (gone == folder.files().size()) {
        unneededSinceNanos.remove(folder.node());
      }
    }
  }
}
