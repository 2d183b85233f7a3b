package dev.holdfast.simulation;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.ShardLayout;
import dev.holdfast.document.Routing;
import dev.holdfast.simulation.client.Ledger;
import dev.holdfast.simulation.client.Rivalry;
import dev.holdfast.simulation.client.SimulatedClients;
import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.schedule.FailureText;
import dev.holdfast.simulation.schedule.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
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

  private final HistoryStage stage;
  private final SplittableRandom random;
  private final Scheduler scheduler;
  private final SimulatedCluster cluster;
  private final SimulatedClients clients;

  private SplitHistory(HistoryStage stage) {
    this.stage = stage;
    this.random = stage.random;
    this.scheduler = stage.scheduler;
    this.cluster = stage.cluster;
    this.clients = stage.clients;
    stage.ledger.willBeDivided();
  }

  /// Runs a seed.
  static HistoryOutcome of(
      long seed, ClusterShape shape, Plant plant, @Nullable Consumer<String> narrator)
      throws IOException {
    return HistoryStage.run(seed, shape, plant, narrator, stage -> new SplitHistory(stage)::tell);
  }

  private void tell() throws Exception {
    cluster.createIndex(cluster.alive().getFirst(), INDEX, 1);
    for (int i = 0; i < HistoryStage.WRITERS; i++) {
      stage.act("writer", () -> stage.writeForEver(300, _ -> first()));
    }
    stage.act("getter", () -> stage.getForEver(_ -> first()));
    stage.act("getter", () -> stage.getForEver(_ -> first()));
    stage.act("searcher", this::searchForEver);
    stage.act("searcher", this::searchForEver);
    stage.act("reader", this::lookForEver);
    stage.act("reader", this::lookForEver);
    stage.act("maintainer", this::maintainForEver);
    stage.act("splitter", this::splitForEver);
    stage.act("rumour", this::mishearForEver);
    stage.trouble.make(Duration.ofSeconds(10 + random.nextInt(10)));
    recover();
    stage.histories.judge();
    IndexSplit split = newestSplit();
    if (split != null && stage.isGood()) {
      stage.ledger.judgeNumbers((named, id, term) -> shard(named, split, id, term));
    }
  }

  /// The shard that there was at first.
  private ShardId first() {
    return cluster.shards().getFirst();
  }

  private void searchForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      stage.pause(mine, 1_000);
      SimulatedNode node = stage.someNode(mine);
      SimulatedNode other = stage.someNode(mine);
      if (node != null && other != null) {
        Ledger.Baseline refreshed = clients.refresh(node, first().index());
        Duration slowness = HistoryStage.slowness(mine);
        boolean _ = clients.search(other, first().index(), refreshed, slowness);
      }
    }
  }

  /// Some who write refresh the shard of what they wrote alone, and others look for that at once.
  private void lookForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    while (true) {
      stage.pause(mine, 400);
      SimulatedNode node = stage.someNode(mine);
      SimulatedNode other = stage.someNode(mine);
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
      stage.pause(mine, 3_000);
      SimulatedNode node = stage.someNode(mine);
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
      stage.pause(mine, 1_000);
      SimulatedNode node = stage.someNode(mine);
      if (node != null && mine.nextBoolean()) {
        cluster.network().lose(STATES, node.address(), true);
        stage.pause(mine, 4_000);
        cluster.network().lose(STATES, node.address(), false);
      } else {
        cluster.network().loseAnswers(WRITES, 0.5);
        stage.pause(mine, 1_500);
        cluster.network().loseAnswers(WRITES, 0);
      }
    }
  }

  private void splitForEver() throws InterruptedException {
    SplittableRandom mine = random.split();
    for (int shards = 2; shards <= SHARDS; shards *= 2) {
      stage.pause(mine, 2_000);
      while (!split(mine, shards)) {
        stage.pause(mine, 500);
        if (mine.nextInt(6) == 0) {
          giveUp(mine);
        }
      }
    }
  }

  /// Somebody does not want the shards that are to come, and is refused when one is there.
  private void giveUp(SplittableRandom mine) throws InterruptedException {
    SimulatedNode node = stage.someNode(mine);
    if (node == null) {
      return;
    }
    try {
      var _ =
          cluster.call(
              node,
              () ->
                  node.cluster()
                      .update("give up", state -> stage.plant.givenUp(state, first().index())));
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
    SimulatedNode node = stage.someNode(mine);
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
    long endNanos = scheduler.nowNanos() + HistoryStage.RECOVERY_MAX.toNanos();
    SplittableRandom mine = random.split();
    stage.endActing();
    cluster.network().mendAll();
    for (int shards = 2; shards <= SHARDS; shards *= 2) {
      while (!split(mine, shards)) {
        if (scheduler.nowNanos() > endNanos) {
          stage.violated("an index does not get its shards [wanted=" + shards + "]");
          return;
        }
        stage.pause(mine, 300);
      }
    }
    while (!isWell(mine)) {
      if (scheduler.nowNanos() > endNanos) {
        stage.violated("an index does not come back");
        return;
      }
      stage.pause(mine, 200);
    }
    for (String id : Rivalry.IDS) {
      SimulatedNode node = stage.someNode(mine);
      if (node != null) {
        clients.get(node, first(), id);
      }
    }
  }

  private boolean isWell(SplittableRandom mine) throws InterruptedException {
    SimulatedNode node = stage.someNode(mine);
    return node != null && stage.isWell(node, first(), mine);
  }
}
