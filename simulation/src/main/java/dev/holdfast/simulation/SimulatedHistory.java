package dev.holdfast.simulation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.simulation.client.Ledger.Baseline;
import dev.holdfast.simulation.client.Rivalry;
import dev.holdfast.simulation.client.SimulatedClients;
import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.simulation.trouble.ObjectLoss;
import dev.holdfast.simulation.trouble.StateLoss;
import dev.holdfast.simulation.trouble.StateTampering;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One simulated history: a cluster is troubled for a while and then left alone; then everything
/// must work again and nothing acknowledged may be missing.
final class SimulatedHistory {
  private static final Duration CALM_MIN = Duration.ofSeconds(15);

  /// How many histories lose the cluster state: one of so many.
  private static final int STATE_LOST_ONE_IN = 4;

  private static final int TAMPERED_ONE_IN = 6;

  private final HistoryStage stage;
  private final SplittableRandom random;
  private final SplittableRandom losses;
  private final Scheduler scheduler;
  private final SimulatedCluster cluster;
  private final SimulatedClients clients;

  private SimulatedHistory(long seed, HistoryStage stage) {
    this.stage = stage;
    this.random = stage.random;
    this.losses = new SplittableRandom(~seed);
    this.scheduler = stage.scheduler;
    this.cluster = stage.cluster;
    this.clients = stage.clients;
  }

  /// Runs a seed.
  static HistoryOutcome of(
      long seed, ClusterShape shape, Plant plant, @Nullable Consumer<String> narrator)
      throws IOException {
    return HistoryStage.run(
        seed, shape, plant, narrator, stage -> new SimulatedHistory(seed, stage)::tell);
  }

  private void tell() throws Exception {
    SimulatedNode first = cluster.alive().getFirst();
    cluster.createIndex(first, "books", 1 + random.nextInt(2));
    cluster.createIndex(first, "logs", 1);
    for (int i = 0; i < HistoryStage.WRITERS; i++) {
      stage.act("writer", () -> stage.writeForEver(400, this::someShard));
    }
    stage.act("getter", () -> stage.getForEver(this::someShard));
    stage.act("getter", () -> stage.getForEver(this::someShard));
    stage.act("searcher", this::searchForEver);
    stage.act("searcher", this::searchForEver);
    stage.act("maintainer", this::maintainForEver);
    stage.trouble.make(Duration.ofSeconds(8 + random.nextInt(10)));
    if (losses.nextInt(STATE_LOST_ONE_IN) == 0) {
      new StateLoss(cluster, losses).happen();
    }
    recover();
    stage.histories.judge();
  }

  private ShardId someShard(SplittableRandom mine) {
    // Some shards rest while others are busy.
    int drawn = Math.min(mine.nextInt(100), mine.nextInt(100));
    return cluster.shards().get(drawn * cluster.shards().size() / 100);
  }

  private void searchForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      stage.pause(mine, 1_500);
      SimulatedNode node = stage.someNode(mine);
      if (node != null) {
        IndexId index = someShard(mine).index();
        Baseline refreshed = clients.refresh(node, index);
        SimulatedNode other = stage.someNode(mine);
        if (other != null) {
          Duration slowness = HistoryStage.slowness(mine);
          boolean _ = clients.search(other, index, refreshed, slowness);
        }
      }
    }
  }

  private void maintainForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      stage.pause(mine, 4_000);
      SimulatedNode node = stage.someNode(mine);
      if (node != null) {
        clients.maintain(node, someShard(mine), mine.nextInt(3) == 0);
      }
    }
  }

  /// Liveness: with the troubles over, every shard takes writes and is searched, and what nobody
  /// needs is deleted.
  private void recover() throws InterruptedException {
    scheduler.tell("trouble is over");
    long endNanos = scheduler.nowNanos() + HistoryStage.RECOVERY_MAX.toNanos();
    SplittableRandom mine = random.split();
    stage.endActing();
    if (!isWell(mine, endNanos)) {
      return;
    }
    for (ShardId shard : cluster.shards()) {
      SimulatedNode node = stage.someNode(mine);
      for (String id : Rivalry.IDS) {
        if (node != null) {
          clients.get(node, shard, id);
        }
      }
    }
    settle(mine, endNanos);
    if (mine.nextInt(4) == 0 && stage.isGood()) {
      refuseAll(mine);
    }
    if (mine.nextInt(TAMPERED_ONE_IN) == 0 && stage.isGood()) {
      new StateTampering(cluster, stage::violated, mine.split()).happen();
    }
    collect(mine, endNanos);
    if (stage.isGood()) {
      stage.retireOperators();
      new ObjectLoss(cluster, clients, stage::violated, random.split()).happen();
    }
  }

  /// A store that refuses every node at once ends none: nobody can take another's place, and when
  /// it comes right all go on where they stood.
  private void refuseAll(SplittableRandom mine) throws InterruptedException {
    // A trap that nobody stepped into yet would freeze a node of itself.
    cluster.alive().forEach(node -> node.store().trap(null));
    // Who doubts a leader that is gone has come to a result.
    cluster.outside().world().sleeper().sleep(CALM_MIN);
    SimulatedNode leader = cluster.leader();
    if (leader == null) {
      return;
    }
    // Who died may still be a member, and who is none any more may not know it yet.
    SortedSet<String> members = new TreeSet<>(leader.cluster().current().members().keySet());
    List<SimulatedNode> before =
        cluster.alive().stream()
            .filter(node -> node.isServing() && !node.isEvicted())
            .filter(node -> members.contains(node.nodeEphemeralId()))
            .toList();
    for (ShardId shard : cluster.shards()) {
      SplittableRandom its = mine.split();
      stage.act(
          "refused-writer",
          () -> {
            SimulatedNode node = stage.someNode(its);
            if (node != null) {
              boolean _ = clients.write(node, shard, its);
            }
          });
    }
    Duration time = stage.trouble.refuseAll();
    long endNanos = scheduler.nowNanos() + HistoryStage.RECOVERY_MAX.toNanos();
    if (isWell(mine, endNanos)) {
      List<String> lost =
          before.stream()
              .filter(node -> node.isEvicted() || node.process().isDead())
              .map(node -> node.process().name())
              .toList();
      if (!lost.isEmpty()) {
        stage.violated(
            "members were evicted because the store refused all of them [nodes="
                + lost
                + ", millis="
                + time.toMillis()
                + "]");
      }
    }
  }

  /// Whether every shard takes writes and is searched, in time.
  private boolean isWell(SplittableRandom mine, long endNanos) throws InterruptedException {
    for (ShardId shard : cluster.shards()) {
      SimulatedNode node = null;
      boolean isWell = false;
      while (!isWell) {
        stage.pause(mine, 200);
        if (scheduler.nowNanos() > endNanos) {
          stage.violated("a shard does not come back [shard=" + shard + "]");
          return false;
        }
        node = stage.someNode(mine);
        isWell = node != null && stage.isWell(node, shard, mine);
      }
    }
    return true;
  }

  /// Every shard has an owner and all its search copies, and nothing moves any more.
  private void settle(SplittableRandom mine, long endNanos) throws InterruptedException {
    while (true) {
      SimulatedNode leader = cluster.leader();
      ClusterState state = leader == null ? ClusterState.empty("") : leader.cluster().current();
      if (leader != null
          && cluster.shards().stream()
              .allMatch(shard -> isSettled(state, state.assignment(shard)))) {
        return;
      }
      if (scheduler.nowNanos() > endNanos) {
        stage.violated("shards do not come to rest " + state.assignments());
        return;
      }
      stage.pause(mine, 500);
    }
  }

  private boolean isSettled(ClusterState state, ShardAssignment shard) {
    long searchNodes =
        state.members().values().stream()
            .filter(member -> member.roles().contains(Role.SEARCH) && !member.isDraining())
            .count();
    return state.members().containsKey(shard.owner())
        && shard.target().isEmpty()
        && shard.copies().size() == Math.min(searchNodes, cluster.shape().copies())
        && state.members().keySet().containsAll(shard.copies().keySet())
        && shard.copies().values().stream().allMatch(ShardAssignment.Copy.STARTED::equals);
  }

  /// What nobody needs now is deleted while writes go on: each brings news to the search tier, and
  /// its answer says what it let go of.
  private void collect(SplittableRandom mine, long endNanos) throws InterruptedException {
    SortedSet<String> left = cluster.watch().orphans();
    while (!left.isEmpty()) {
      for (ShardId shard : cluster.shards()) {
        SimulatedNode node = stage.someNode(mine);
        if (node != null && clients.write(node, shard, mine)) {
          Baseline _ = clients.refresh(node, shard.index());
        }
      }
      stage.pause(mine, 4_000);
      left.retainAll(cluster.watch().orphans());
      if (scheduler.nowNanos() > endNanos) {
        if (!cluster.watch().isLooking()) {
          stage.violated("blobs are left over " + left);
        }
        return;
      }
    }
  }
}
