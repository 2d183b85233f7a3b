package dev.holdfast.api.snapshot;

import dev.holdfast.api.stats.StatisticsWriter;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The snapshots that this node is making or deleting, by uuid: what is `STARTED` or `DELETING` in
/// this node's name and not among them has been left behind.
public final class RunningSnapshots {
  private final String node;
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private volatile boolean hasLeft;

  /// What is done.
  enum Work {
    SNAPSHOT,
    DELETION,
    CLEANUP
  }

  /// @param shards that a snapshot takes; they are there when all of it is
  private record Running(Work work, int shards) {}

  /// @param node this node's ephemeral id
  public RunningSnapshots(String node) {
    this.node = node;
  }

  String node() {
    return node;
  }

  /// @param shards that it takes, 0 for all but a snapshot
  void begin(String uuid, Work work, int shards) {
    running.put(uuid, new Running(work, shards));
  }

  void end(String uuid) {
    running.remove(uuid);
  }

  /// Something that this node began could not be given up.
  void leftBehind() {
    hasLeft = true;
  }

  /// Whether anything was left behind since this was asked last.
  boolean takeLeft() {
    boolean was = hasLeft;
    hasLeft = false;
    return was;
  }

  boolean contains(String uuid) {
    return running.containsKey(uuid);
  }

  /// How much there is of what, as `_cluster/stats` names it.
  public void write(StatisticsWriter figures) throws IOException {
    List<Running> now = List.copyOf(running.values());
    long snapshots = count(now, Work.SNAPSHOT);
    long deletions = count(now, Work.DELETION);
    figures.number("snapshots", snapshots);
    figures.number("shard_snapshots", now.stream().mapToInt(Running::shards).sum());
    figures.number("snapshot_deletions", deletions);
    figures.number("concurrent_operations", snapshots + deletions);
    figures.number("cleanups", count(now, Work.CLEANUP));
  }

  private static long count(Collection<Running> all, Work work) {
    return all.stream().filter(one -> one.work == work).count();
  }
}
