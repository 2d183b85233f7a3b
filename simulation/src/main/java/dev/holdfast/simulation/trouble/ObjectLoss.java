package dev.holdfast.simulation.trouble;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.simulation.client.Rivalry;
import dev.holdfast.simulation.client.SimulatedClients;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.schedule.Alarm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;

/// The last act of a history: all nodes die, and objects are removed from the store behind their
/// backs. Then each shard either has everything that was acknowledged, or it is not opened and the
/// state says which of the removed objects it lacks (decision 018).
public final class ObjectLoss {
  private static final Duration MAX = Duration.ofMinutes(5);
  private static final int BURST = 12;

  private final SimulatedCluster cluster;
  private final SimulatedClients clients;
  private final Alarm alarm;
  private final SplittableRandom random;
  private final SortedSet<String> removed = new TreeSet<>();

  public ObjectLoss(
      SimulatedCluster cluster, SimulatedClients clients, Alarm alarm, SplittableRandom random) {
    this.cluster = cluster;
    this.clients = clients;
    this.alarm = alarm;
    this.random = random;
  }

  /// What is removed.
  private enum Kind {
    FILE_OF_A_LOG,
    ALL_LOGS,
    NEWEST_BLOB,
    ANY_BLOB,
    FOLDER_OF_A_SHARD
  }

  public void happen() throws InterruptedException {
    List<ShardId> shards = cluster.shards();
    for (int i = 0; i < BURST; i++) {
      SimulatedNode node = cluster.leader();
      if (node != null) {
        boolean _ = clients.write(node, shards.get(random.nextInt(shards.size())), random);
      }
    }
    SimulatedNode leader = cluster.leader();
    if (leader == null) {
      return;
    }
    ClusterState known = leader.cluster().current();
    cluster.alive().forEach(cluster::kill);
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    ShardId shard = shards.get(random.nextInt(shards.size()));
    removed.addAll(keys(kind, shard, known));
    cluster.watch().remove(removed);
    cluster.tell("removed " + kind + " of " + shard + " " + removed);
    for (SortedSet<Role> roles : cluster.shape().places()) {
      for (int tries = 0; tries < 3; tries++) {
        if (cluster.start(cluster.freshFolder(), roles) != null) {
          break;
        }
      }
    }
    for (ShardId one : shards) {
      check(one);
    }
  }

  private List<String> keys(Kind kind, ShardId shard, ClusterState known) {
    List<String> blobs = cluster.watch().keys(shard.folder());
    return switch (kind) {
      case FILE_OF_A_LOG -> fileOfALog(known);
      case ALL_LOGS -> cluster.watch().keys("log/");
      case NEWEST_BLOB -> blobs.stream().limit(1).toList();
      case ANY_BLOB ->
          blobs.isEmpty() ? List.of() : List.of(blobs.get(random.nextInt(blobs.size())));
      case FOLDER_OF_A_SHARD -> blobs;
    };
  }

  /// One that the state knows: nothing shows that a log was cut off behind those.
  private List<String> fileOfALog(ClusterState known) {
    List<String> files = new ArrayList<>();
    for (String member : known.members().keySet()) {
      LogBounds bounds = UploadMarks.bounds(known, member);
      for (long ordinal = bounds == null ? 0 : bounds.low();
          bounds != null && ordinal <= bounds.durable();
          ordinal++) {
        files.add(String.format(Locale.ROOT, "log/%s/%016x", member, ordinal));
      }
    }
    files.retainAll(cluster.watch().keys("log/"));
    return files.isEmpty() ? List.of() : List.of(files.get(random.nextInt(files.size())));
  }

  private void check(ShardId shard) throws InterruptedException {
    long endNanos = cluster.outside().world().clock().nanoTime() + MAX.toNanos();
    while (cluster.outside().world().clock().nanoTime() < endNanos) {
      cluster.disturbed(); // what is lost may fail in any way
      cluster.outside().world().sleeper().sleep(Duration.ofMillis(1 + random.nextInt(500)));
      SimulatedNode node = cluster.leader();
      if (node == null) {
        continue;
      }
      UploadMark mark = UploadMarks.of(node.cluster().current(), shard);
      if (mark.isShort()) {
        checkNamed(shard, mark);
        return;
      }
      if (clients.write(node, shard, random)) {
        for (String id : Rivalry.IDS) {
          clients.get(node, shard, id);
        }
        return;
      }
    }
    alarm.violated("a shard is neither served nor said to lack anything [shard=" + shard + "]");
  }

  private void checkNamed(ShardId shard, UploadMark mark) {
    String key = mark.lost();
    boolean isOurs = !key.startsWith("shards/") || key.startsWith(shard.folder());
    // The blob that the state knows may have been superseded and deleted before.
    boolean isOfRemovedFolder = removed.stream().anyMatch(one -> one.startsWith(shard.folder()));
    if (!isOurs || !(removed.contains(key) || (isOfRemovedFolder && !key.startsWith("log/")))) {
      alarm.violated(
          "a shard is said to lack what was not taken from it [shard="
              + shard
              + ", lost="
              + key
              + ", why="
              + mark.why()
              + ", removed="
              + removed
              + "]");
    }
  }
}
