package dev.holdfast.simulation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.simulation.client.Histories;
import dev.holdfast.simulation.client.Ledger;
import dev.holdfast.simulation.client.Ledger.Baseline;
import dev.holdfast.simulation.client.Rivalry;
import dev.holdfast.simulation.client.SimulatedClients;
import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.schedule.FailureText;
import dev.holdfast.simulation.schedule.LuceneIds;
import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.simulation.trouble.ObjectLoss;
import dev.holdfast.simulation.trouble.Operator;
import dev.holdfast.simulation.trouble.StateLoss;
import dev.holdfast.simulation.trouble.StateTampering;
import dev.holdfast.simulation.trouble.Trouble;
import dev.holdfast.world.Tasks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// One simulated history: a cluster is troubled for a while and then left alone; then everything
/// must work again and nothing acknowledged may be missing.
final class SimulatedHistory {
  private static final Duration RECOVERY_MAX = Duration.ofMinutes(5);
  private static final Duration WHOLE_MAX = Duration.ofMinutes(15);
  private static final Duration CALM_MIN = Duration.ofSeconds(15);
  private static final int WRITERS = 3;

  /// How many histories lose the cluster state: one of so many.
  private static final int STATE_LOST_ONE_IN = 4;

  private static final int TAMPERED_ONE_IN = 6;

  private final SplittableRandom random;
  private final SplittableRandom losses;
  private final Scheduler scheduler;
  private final List<String> violations = new ArrayList<>();
  private final Ledger ledger = new Ledger(this::violated);
  private final Histories histories = new Histories(this::violated);
  private final SimulatedCluster cluster;
  private final SimulatedClients clients;
  private final Trouble trouble;
  private final List<Operator> operators = new ArrayList<>();
  private final List<Tasks.Task> acting = new ArrayList<>();
  private boolean isDone;

  private SimulatedHistory(
      long seed,
      ClusterShape shape,
      Plant plant,
      Path scratch,
      @Nullable Consumer<String> narrator) {
    this.random = new SplittableRandom(seed);
    this.losses = new SplittableRandom(~seed);
    this.scheduler = new Scheduler(random.split(), narrator);
    this.cluster =
        new SimulatedCluster(scheduler, random.split(), this::violated, scratch, shape, plant);
    this.clients = new SimulatedClients(cluster, ledger, new Rivalry(histories), this::violated);
    this.trouble = new Trouble(cluster, random.split(), new SplittableRandom(seed ^ 0x57A6E));
    shape.places().forEach(roles -> operators.add(new Operator(cluster, random.split(), roles)));
  }

  /// Runs a seed.
  static HistoryOutcome of(
      long seed, ClusterShape shape, Plant plant, @Nullable Consumer<String> narrator)
      throws IOException {
    LuceneIds.areOf(seed);
    Path scratch = SimulatedCluster.scratchFolder();
    try {
      return new SimulatedHistory(seed, shape, plant, scratch, narrator).run(seed);
    } finally {
      IOUtils.rm(scratch);
    }
  }

  private void violated(String what) {
    scheduler.tell("VIOLATED " + what);
    violations.add("at " + scheduler.nowNanos() / 1_000_000 + " ms: " + what);
  }

  private HistoryOutcome run(long seed) {
    var _ = cluster.outside().world().tasks().start("story", this::tellAll);
    boolean isInTime = scheduler.run(() -> isDone || !violations.isEmpty(), WHOLE_MAX);
    if (!isInTime) {
      violated("the history does not end");
    }
    HistoryOutcome outcome =
        new HistoryOutcome(
            seed,
            scheduler.trace(),
            List.copyOf(violations),
            scheduler.steps(),
            scheduler.nowNanos() / 1_000_000,
            ledger.acknowledged(),
            ledger.unknown(),
            ledger.reads(),
            ledger.searches(),
            trouble.events(),
            cluster.watch().requests(),
            cluster.watch().deletes());
    cluster.bury();
    return outcome;
  }

  private void tellAll() {
    try {
      tell();
    } catch (Exception e) {
      violated("the history breaks off: " + FailureText.of(e));
    }
  }

  private void tell() throws Exception {
    for (Operator operator : operators) {
      act("operator", operator::operate);
    }
    while (!operators.stream().allMatch(Operator::isServing)) {
      pause(random, 200);
    }
    SimulatedNode first = cluster.alive().getFirst();
    cluster.createIndex(first, "books", 1 + random.nextInt(2));
    cluster.createIndex(first, "logs", 1);
    for (int i = 0; i < WRITERS; i++) {
      act("writer", this::writeForEver);
    }
    act("getter", this::getForEver);
    act("getter", this::getForEver);
    act("searcher", this::searchForEver);
    act("searcher", this::searchForEver);
    act("maintainer", this::maintainForEver);
    trouble.make(Duration.ofSeconds(8 + random.nextInt(10)));
    if (losses.nextInt(STATE_LOST_ONE_IN) == 0) {
      new StateLoss(cluster, losses).happen();
    }
    recover();
    histories.judge();
    isDone = true;
  }

  private void act(String name, Tasks.Work work) {
    acting.add(cluster.outside().world().tasks().start(name, work));
  }

  private void pause(SplittableRandom mine, int millisMax) throws InterruptedException {
    cluster.outside().world().sleeper().sleep(Duration.ofMillis(1 + mine.nextInt(millisMax)));
  }

  /// Any node that serves: clients do not know who owns what.
  private @Nullable SimulatedNode someNode(SplittableRandom mine) {
    List<SimulatedNode> serving =
        cluster.alive().stream().filter(SimulatedNode::isServing).toList();
    return serving.isEmpty() ? null : serving.get(mine.nextInt(serving.size()));
  }

  private ShardId someShard(SplittableRandom mine) {
    // Some shards rest while others are busy.
    int drawn = Math.min(mine.nextInt(100), mine.nextInt(100));
    return cluster.shards().get(drawn * cluster.shards().size() / 100);
  }

  private void writeForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 400);
      SimulatedNode node = someNode(mine);
      if (node != null) {
        boolean _ = clients.write(node, someShard(mine), mine);
      }
    }
  }

  private void getForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 300);
      SimulatedNode node = someNode(mine);
      if (node != null) {
        ShardId shard = someShard(mine);
        if (mine.nextInt(3) == 0) {
          clients.probe(node, shard, mine);
        } else {
          clients.get(node, shard, mine);
        }
      }
    }
  }

  private void searchForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 1_500);
      SimulatedNode node = someNode(mine);
      if (node != null) {
        IndexId index = someShard(mine).index();
        Baseline refreshed = clients.refresh(node, index);
        SimulatedNode other = someNode(mine);
        if (other != null) {
          Duration slowness =
              mine.nextInt(3) == 0 ? Duration.ofMillis(mine.nextInt(4_000)) : Duration.ZERO;
          boolean _ = clients.search(other, index, refreshed, slowness);
        }
      }
    }
  }

  private void maintainForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 4_000);
      SimulatedNode node = someNode(mine);
      if (node != null) {
        clients.maintain(node, someShard(mine), mine.nextInt(3) == 0);
      }
    }
  }

  /// Liveness: with the troubles over, every shard takes writes and is searched, and what nobody
  /// needs is deleted.
  private void recover() throws InterruptedException {
    scheduler.tell("trouble is over");
    long endNanos = scheduler.nowNanos() + RECOVERY_MAX.toNanos();
    SplittableRandom mine = random.split();
    acting.stream().skip(operators.size()).forEach(Tasks.Task::cancel);
    if (!isWell(mine, endNanos)) {
      return;
    }
    for (ShardId shard : cluster.shards()) {
      SimulatedNode node = someNode(mine);
      for (String id : Rivalry.IDS) {
        if (node != null) {
          clients.get(node, shard, id);
        }
      }
    }
    settle(mine, endNanos);
    if (mine.nextInt(4) == 0 && violations.isEmpty()) {
      refuseAll(mine);
    }
    if (mine.nextInt(TAMPERED_ONE_IN) == 0 && violations.isEmpty()) {
      new StateTampering(cluster, this::violated, mine.split()).happen();
    }
    collect(mine, endNanos);
    if (violations.isEmpty()) {
      operators.forEach(Operator::retire);
      new ObjectLoss(cluster, clients, this::violated, random.split()).happen();
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
      acting.add(
          cluster
              .outside()
              .world()
              .tasks()
              .start(
                  "refused-writer",
                  () -> {
                    SimulatedNode node = someNode(its);
                    if (node != null) {
                      boolean _ = clients.write(node, shard, its);
                    }
                  }));
    }
    Duration time = trouble.refuseAll();
    long endNanos = scheduler.nowNanos() + RECOVERY_MAX.toNanos();
    if (isWell(mine, endNanos)) {
      List<String> lost =
          before.stream()
              .filter(node -> node.isEvicted() || node.process().isDead())
              .map(node -> node.process().name())
              .toList();
      if (!lost.isEmpty()) {
        violated(
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
        pause(mine, 200);
        if (scheduler.nowNanos() > endNanos) {
          violated("a shard does not come back [shard=" + shard + "]");
          return false;
        }
        node = someNode(mine);
        isWell =
            node != null
                && clients.write(node, shard, mine)
                && clients.search(
                    node, shard.index(), clients.refresh(node, shard.index()), Duration.ZERO);
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
        violated("shards do not come to rest " + state.assignments());
        return;
      }
      pause(mine, 500);
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
        SimulatedNode node = someNode(mine);
        if (node != null && clients.write(node, shard, mine)) {
          Baseline _ = clients.refresh(node, shard.index());
        }
      }
      pause(mine, 4_000);
      left.retainAll(cluster.watch().orphans());
      if (scheduler.nowNanos() > endNanos) {
        if (!cluster.watch().isLooking()) {
          violated("blobs are left over " + left);
        }
        return;
      }
    }
  }
}
