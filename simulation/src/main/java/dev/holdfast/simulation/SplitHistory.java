package dev.holdfast.simulation;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.ShardLayout;
import dev.holdfast.document.Routing;
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
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// One simulated history of an index that gets more shards again and again while it is written,
/// read and searched, and while nodes die (decision 031). Its clients go on naming the one shard
/// that there was at first.
final class SplitHistory {
  private static final String INDEX = "growing";
  private static final int SHARDS = 8;

  /// Calls between nodes.
  private static final String STATES = "cluster/state";

  private static final String WRITES = "indexing/write";

  private static final int WRITERS = 3;
  private static final Duration RECOVERY_MAX = Duration.ofMinutes(5);
  private static final Duration WHOLE_MAX = Duration.ofMinutes(15);

  private final SplittableRandom random;
  private final Scheduler scheduler;
  private final List<String> violations = new ArrayList<>();
  private final Ledger ledger = new Ledger(this::violated);
  private final Histories histories = new Histories(this::violated);
  private final SimulatedCluster cluster;
  private final SimulatedClients clients;
  private final Trouble trouble;
  private final List<Operator> operators = new ArrayList<>();
  private final List<Tasks.Task> acting = new ArrayList<>();
  private final Plant plant;
  private boolean isDone;

  private SplitHistory(
      long seed,
      ClusterShape shape,
      Plant plant,
      Path scratch,
      @Nullable Consumer<String> narrator) {
    this.random = new SplittableRandom(seed);
    this.plant = plant;
    this.scheduler = new Scheduler(random.split(), narrator);
    this.cluster =
        new SimulatedCluster(scheduler, random.split(), this::violated, scratch, shape, plant);
    this.clients = new SimulatedClients(cluster, ledger, new Rivalry(histories), this::violated);
    this.trouble = new Trouble(cluster, random.split(), new SplittableRandom(seed ^ 0x57A6E));
    shape.places().forEach(roles -> operators.add(new Operator(cluster, random.split(), roles)));
    ledger.willBeDivided();
  }

  /// Runs a seed.
  static HistoryOutcome of(
      long seed, ClusterShape shape, Plant plant, @Nullable Consumer<String> narrator)
      throws IOException {
    LuceneIds.areOf(seed);
    Path scratch = SimulatedCluster.scratchFolder();
    try {
      return new SplitHistory(seed, shape, plant, scratch, narrator).run(seed);
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
    cluster.createIndex(cluster.alive().getFirst(), INDEX, 1);
    for (int i = 0; i < WRITERS; i++) {
      act("writer", this::writeForEver);
    }
    act("getter", this::getForEver);
    act("getter", this::getForEver);
    act("searcher", this::searchForEver);
    act("searcher", this::searchForEver);
    act("reader", this::lookForEver);
    act("reader", this::lookForEver);
    act("maintainer", this::maintainForEver);
    act("splitter", this::splitForEver);
    act("rumour", this::mishearForEver);
    trouble.make(Duration.ofSeconds(10 + random.nextInt(10)));
    recover();
    histories.judge();
    IndexSplit split = newestSplit();
    if (split != null && violations.isEmpty()) {
      ledger.judgeNumbers((named, id, term) -> shard(named, split, id, term));
    }
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

  /// The shard that there was at first.
  private ShardId first() {
    return cluster.shards().getFirst();
  }

  private void writeForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 300);
      SimulatedNode node = someNode(mine);
      if (node != null) {
        boolean _ = clients.write(node, first(), mine);
      }
    }
  }

  private void getForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 300);
      SimulatedNode node = someNode(mine);
      if (node != null) {
        if (mine.nextInt(3) == 0) {
          clients.probe(node, first(), mine);
        } else {
          clients.get(node, first(), mine);
        }
      }
    }
  }

  private void searchForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 1_000);
      SimulatedNode node = someNode(mine);
      SimulatedNode other = someNode(mine);
      if (node != null && other != null) {
        Ledger.Baseline refreshed = clients.refresh(node, first().index());
        Duration slowness =
            mine.nextInt(3) == 0 ? Duration.ofMillis(mine.nextInt(4_000)) : Duration.ZERO;
        boolean _ = clients.search(other, first().index(), refreshed, slowness);
      }
    }
  }

  /// Some who write refresh the shard of what they wrote alone, and others look for that at once.
  private void lookForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 400);
      SimulatedNode node = someNode(mine);
      SimulatedNode other = someNode(mine);
      if (node != null && other != null) {
        String id = Rivalry.IDS.get(mine.nextInt(Rivalry.IDS.size()));
        Ledger.Baseline refreshed = clients.refresh(node, first(), id);
        boolean _ = clients.search(other, first().index(), refreshed, Duration.ZERO);
      }
    }
  }

  private void maintainForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 3_000);
      SimulatedNode node = someNode(mine);
      IndexMetadata index = node == null ? null : node.cluster().current().indices().get(INDEX);
      if (node != null && index != null) {
        ShardId shard = new ShardId(index.id(), mine.nextInt(index.shards()));
        clients.maintain(node, shard, mine.nextInt(3) == 0);
      }
    }
  }

  /// Some nodes hear of new states late, from the answers to their beats only; and at times answers
  /// to many writes are lost, which are sent again then, to other shards perhaps.
  private void mishearForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      pause(mine, 1_000);
      SimulatedNode node = someNode(mine);
      if (node != null && mine.nextBoolean()) {
        cluster.network().lose(STATES, node.address(), true);
        pause(mine, 4_000);
        cluster.network().lose(STATES, node.address(), false);
      } else {
        cluster.network().loseAnswers(WRITES, 0.5);
        pause(mine, 1_500);
        cluster.network().loseAnswers(WRITES, 0);
      }
    }
  }

  private void splitForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    for (int shards = 2; shards <= SHARDS; shards *= 2) {
      pause(mine, 2_000);
      while (!split(mine, shards)) {
        pause(mine, 500);
        if (mine.nextInt(6) == 0) {
          giveUp(mine);
        }
      }
    }
  }

  /// Somebody does not want the shards that are to come, and is refused when one is there.
  private void giveUp(SplittableRandom mine) throws InterruptedException {
    SimulatedNode node = someNode(mine);
    if (node == null) {
      return;
    }
    try {
      var _ =
          cluster.call(
              node,
              () ->
                  node.cluster().update("give up", state -> plant.givenUp(state, first().index())));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      scheduler.note("not given up: " + FailureText.of(e));
    }
  }

  /// What any node knows of all divisions; null for nothing.
  private @Nullable IndexSplit newestSplit() {
    IndexSplit newest = null;
    for (SimulatedNode node : cluster.alive()) {
      IndexMetadata index = node.isServing() ? node.cluster().current().indices().get(INDEX) : null;
      IndexSplit split = index == null ? null : index.split();
      if (split != null && (newest == null || split.parts().size() > newest.parts().size())) {
        newest = split;
      }
    }
    return newest;
  }

  /// The shard that had a document when that was given a number under that primary term: each shard
  /// that it was given to begins under a later one. The splits double the shards.
  private static ShardId shard(ShardId named, IndexSplit split, String id, long primaryTerm) {
    int shard = named.number();
    for (int number = 1; number < SHARDS; number++) {
      IndexSplit.Part part = split.part(number);
      int from = Integer.highestOneBit(number);
      ShardLayout layout = new ShardLayout(number + 1, from, 2 * from);
      if (part != null
          && part.source() == shard
          && part.primaryTerm() <= primaryTerm
          && Routing.shard(id, null, layout, 1) == number) {
        shard = number;
      }
    }
    return new ShardId(named.index(), shard);
  }

  /// Asks some node for so many shards.
  ///
  /// @return whether it knows of as many
  private boolean split(SplittableRandom mine, int shards) throws InterruptedException {
    SimulatedNode node = someNode(mine);
    if (node == null) {
      return false;
    }
    IndexMetadata index = node.cluster().current().indices().get(INDEX);
    if (index != null && index.shards() >= shards) {
      return true;
    }
    try {
      var _ =
          cluster.call(
              node,
              () ->
                  node.cluster()
                      .update("split", state -> OnlineSplit.begun(state, first().index(), shards)));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      scheduler.note("no split: " + FailureText.of(e)); // it is asked for again
    }
    return false;
  }

  /// With the troubles over the index gets all its shards, takes writes and is searched, and each
  /// document is as it was left.
  private void recover() throws InterruptedException {
    scheduler.tell("trouble is over");
    long endNanos = scheduler.nowNanos() + RECOVERY_MAX.toNanos();
    SplittableRandom mine = random.split();
    acting.stream().skip(operators.size()).forEach(Tasks.Task::cancel);
    cluster.network().mendAll();
    for (int shards = 2; shards <= SHARDS; shards *= 2) {
      while (!split(mine, shards)) {
        if (scheduler.nowNanos() > endNanos) {
          violated("an index does not get its shards [wanted=" + shards + "]");
          return;
        }
        pause(mine, 300);
      }
    }
    while (!isWell(mine)) {
      if (scheduler.nowNanos() > endNanos) {
        violated("an index does not come back");
        return;
      }
      pause(mine, 200);
    }
    for (String id : Rivalry.IDS) {
      SimulatedNode node = someNode(mine);
      if (node != null) {
        clients.get(node, first(), id);
      }
    }
  }

  private boolean isWell(SplittableRandom mine) throws InterruptedException {
    SimulatedNode node = someNode(mine);
    return node != null
        && clients.write(node, first(), mine)
        && clients.search(
            node, first().index(), clients.refresh(node, first().index()), Duration.ZERO);
  }
}
