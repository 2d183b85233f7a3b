package dev.holdfast.simulation;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.simulation.client.Histories;
import dev.holdfast.simulation.client.Ledger;
import dev.holdfast.simulation.client.Rivalry;
import dev.holdfast.simulation.client.SimulatedClients;
import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.schedule.FailureText;
import dev.holdfast.simulation.schedule.LuceneIds;
import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.simulation.trouble.Operator;
import dev.holdfast.simulation.trouble.Trouble;
import dev.holdfast.world.Tasks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// What all simulated histories have: a cluster under a scheduler, clients of it, troubles, and
/// what was promised and did not hold.
final class HistoryStage {
  static final Duration RECOVERY_MAX = Duration.ofMinutes(5);
  static final int WRITERS = 3;
  private static final Duration WHOLE_MAX = Duration.ofMinutes(15);

  final SplittableRandom random;
  final Scheduler scheduler;
  final Plant plant;
  final Ledger ledger = new Ledger(this::violated);
  final Histories histories = new Histories(this::violated);
  final SimulatedCluster cluster;
  final SimulatedClients clients;
  final Trouble trouble;
  private final List<Operator> operators = new ArrayList<>();
  private final List<Tasks.Task> acting = new ArrayList<>();
  private final long seed;
  private final List<String> violations = new ArrayList<>();
  private boolean isDone;

  /// What happens to the cluster.
  @FunctionalInterface
  interface Story {
    void tell() throws Exception;
  }

  private HistoryStage(
      long seed,
      ClusterShape shape,
      Plant plant,
      Path scratch,
      @Nullable Consumer<String> narrator) {
    this.seed = seed;
    this.plant = plant;
    this.random = new SplittableRandom(seed);
    this.scheduler = new Scheduler(random.split(), narrator);
    this.cluster =
        new SimulatedCluster(scheduler, random.split(), this::violated, scratch, shape, plant);
    this.clients = new SimulatedClients(cluster, ledger, new Rivalry(histories), this::violated);
    this.trouble = new Trouble(cluster, random.split(), new SplittableRandom(seed ^ 0x57A6E));
    shape.places().forEach(roles -> operators.add(new Operator(cluster, random.split(), roles)));
  }

  /// Runs the history of a seed.
  ///
  /// @param story what happens on the stage; begins when all operators have nodes that serve
  static HistoryOutcome run(
      long seed,
      ClusterShape shape,
      Plant plant,
      @Nullable Consumer<String> narrator,
      Function<HistoryStage, Story> story)
      throws IOException {
    LuceneIds.areOf(seed);
    Path scratch = SimulatedCluster.scratchFolder();
    try {
      HistoryStage stage = new HistoryStage(seed, shape, plant, scratch, narrator);
      return stage.run(story.apply(stage));
    } finally {
      IOUtils.rm(scratch);
    }
  }

  private HistoryOutcome run(Story story) {
    var _ = cluster.outside().world().tasks().start("story", () -> tell(story));
    boolean isInTime = scheduler.run(() -> isDone || !isGood(), WHOLE_MAX);
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

  private void tell(Story story) {
    try {
      for (Operator operator : operators) {
        act("operator", operator::operate);
      }
      while (!operators.stream().allMatch(Operator::isServing)) {
        pause(random, 200);
      }
      story.tell();
      isDone = true;
    } catch (Exception e) {
      violated("the history breaks off: " + FailureText.of(e));
    }
  }

  void violated(String what) {
    scheduler.tell("VIOLATED " + what);
    violations.add("at " + scheduler.nowNanos() / 1_000_000 + " ms: " + what);
  }

  /// Whether nothing is violated yet.
  boolean isGood() {
    return violations.isEmpty();
  }

  void act(String name, Tasks.Work work) {
    acting.add(cluster.outside().world().tasks().start(name, work));
  }

  /// Ends what began with the story: operators go on.
  void endActing() {
    acting.stream().skip(operators.size()).forEach(Tasks.Task::cancel);
  }

  /// Nobody starts nodes in place of others any more.
  void retireOperators() {
    operators.forEach(Operator::retire);
  }

  void pause(SplittableRandom mine, int millisMax) throws InterruptedException {
    cluster.outside().world().sleeper().sleep(Duration.ofMillis(1 + mine.nextInt(millisMax)));
  }

  /// Any node that serves: clients do not know who owns what.
  @Nullable SimulatedNode someNode(SplittableRandom mine) {
    List<SimulatedNode> serving =
        cluster.alive().stream().filter(SimulatedNode::isServing).toList();
    return serving.isEmpty() ? null : serving.get(mine.nextInt(serving.size()));
  }

  /// @param shard that is written to, drawn anew each time
  void writeForEver(int pauseMaxMillis, Function<SplittableRandom, ShardId> shard)
      throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, pauseMaxMillis);
      SimulatedNode node = someNode(mine);
      if (node != null) {
        boolean _ = clients.write(node, shard.apply(mine), mine);
      }
    }
  }

  /// @param shards those that are asked, drawn anew each time
  void getForEver(Function<SplittableRandom, ShardId> shards) throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 300);
      SimulatedNode node = someNode(mine);
      if (node != null) {
        ShardId shard = shards.apply(mine);
        if (mine.nextInt(3) == 0) {
          clients.probe(node, shard, mine);
        } else {
          clients.get(node, shard, mine);
        }
      }
    }
  }

  /// How long a search takes its time, so that what it reads may go meanwhile.
  static Duration slowness(SplittableRandom mine) {
    return mine.nextInt(3) == 0 ? Duration.ofMillis(mine.nextInt(4_000)) : Duration.ZERO;
  }

  /// Whether a shard takes a write and its index is searched.
  boolean isWell(SimulatedNode node, ShardId shard, SplittableRandom mine)
      throws InterruptedException {
    return clients.write(node, shard, mine)
        && clients.search(node, shard.index(), clients.refresh(node, shard.index()), Duration.ZERO);
  }
}
