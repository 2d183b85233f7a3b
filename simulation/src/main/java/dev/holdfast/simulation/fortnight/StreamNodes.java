package dev.holdfast.simulation.fortnight;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.schedule.FailureText;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The nodes of a cluster that has streams.
final class StreamNodes {
  private static final String COARSE = "downsample-";
  private static final Duration GLANCE = Duration.ofMillis(50);

  private final SimulatedCluster cluster;
  private final StreamPromises promises;
  private final SplittableRandom random;
  private final boolean forgets;
  private final Map<SimulatedNode, StreamNode> known = new HashMap<>();
  private long unanswered;

  /// @param forgets a planted fault: of each batch of documents of coarser times one is lost
  StreamNodes(
      SimulatedCluster cluster, StreamPromises promises, SplittableRandom random, boolean forgets) {
    this.cluster = cluster;
    this.promises = promises;
    this.random = random;
    this.forgets = forgets;
  }

  StreamNode at(SimulatedNode node) {
    return known.computeIfAbsent(
        node,
        _ -> {
          IndexingShards loaded =
              LoadedShards.over(node.indexing(), shard -> load(node, shard), _ -> unanswered++);
          return new StreamNode(node, loaded, forgets ? forgetful(loaded) : loaded);
        });
  }

  private double load(SimulatedNode node, ShardId shard) {
    IndexMetadata index = node.cluster().current().indices().get(shard.index().name());
    return index == null ? 0 : promises.load(shard.index().name()) / index.shards();
  }

  /// How many shards have not said how hard they are written to.
  long unanswered() {
    return unanswered;
  }

  /// Any node that serves: clients do not know who owns what.
  @Nullable SimulatedNode some() {
    List<SimulatedNode> serving =
        cluster.alive().stream().filter(SimulatedNode::isServing).toList();
    return serving.isEmpty() ? null : serving.get(random.nextInt(serving.size()));
  }

  /// The node that leads; waits for one. Who sleeps may have written what it does not know yet.
  SimulatedNode leader() throws InterruptedException {
    SimulatedNode leader = cluster.leader();
    while (leader == null || leader.process().isFrozen()) {
      cluster.outside().world().sleeper().sleep(GLANCE);
      leader = cluster.leader();
    }
    return leader;
  }

  /// The newest state; waits for a leader, and for its turn behind what that has not applied yet.
  ClusterState state() throws InterruptedException {
    while (true) {
      SimulatedNode leader = leader();
      try {
        return cluster.call(leader, () -> leader.cluster().update("newest", state -> state));
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        cluster.tell("no state: " + FailureText.of(e)); // nodes die
        cluster.outside().world().sleeper().sleep(GLANCE);
      }
    }
  }

  /// Shards that say that all was written, and have left out one.
  private IndexingShards forgetful(IndexingShards shards) {
    return (IndexingShards)
        Proxy.newProxyInstance(
            IndexingShards.class.getClassLoader(),
            new Class<?>[] {IndexingShards.class},
            (_, method, arguments) -> {
              try {
                return method.getName().equals("write")
                        && ((ShardId) arguments[0]).index().name().startsWith(COARSE)
                    ? withoutLast(shards, (ShardId) arguments[0], (List<?>) arguments[1])
                    : method.invoke(shards, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static List<WriteResult> withoutLast(
      IndexingShards shards, ShardId shard, List<?> operations) throws Exception {
    List<WriteOperation> all = operations.stream().map(WriteOperation.class::cast).toList();
    List<WriteResult> results = new ArrayList<>();
    if (all.size() > 1) {
      results.addAll(shards.write(shard, all.subList(0, all.size() - 1)));
    }
    results.add(
        new WriteResult.Done(all.getLast().id(), WriteResult.Effect.CREATED, 0, 1, 1, null));
    return results;
  }
}
