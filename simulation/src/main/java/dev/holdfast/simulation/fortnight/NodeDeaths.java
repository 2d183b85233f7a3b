package dev.holdfast.simulation.fortnight;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.simulation.cluster.NodeStore;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.world.Sleeper;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Nodes that die while a leader looks: mostly it, or who owns what is written to, at some moment
/// or when it is about to write; some only sleep until others have their place.
final class NodeDeaths {
  private static final int MILLIS_MAX = 120;
  private static final Duration TRAP_MAX = Duration.ofSeconds(2);
  private static final Duration GLANCE = Duration.ofMillis(10);
  private static final List<String> PREFIXES = List.of("cluster/state", "log/", "shards/", "");

  private final SimulatedCluster cluster;
  private final SplittableRandom random;
  private final Sleeper sleeper;
  private long deaths;

  NodeDeaths(SimulatedCluster cluster, SplittableRandom random) {
    this.cluster = cluster;
    this.random = random;
    this.sleeper = cluster.outside().world().sleeper();
  }

  long deaths() {
    return deaths;
  }

  /// One of them dies soon.
  ///
  /// @param written an index that is written to
  void happen(ClusterState state, String written) throws InterruptedException {
    SimulatedNode node = victim(state, written);
    if (node == null) {
      return;
    }
    deaths++;
    if (random.nextInt(2) == 0) {
      sleeper.sleep(Duration.ofMillis(random.nextInt(MILLIS_MAX)));
      cluster.tell("kill " + node.process());
      cluster.kill(node);
      return;
    }
    node.store()
        .trap(
            new NodeStore.Trap(
                PREFIXES.get(random.nextInt(PREFIXES.size())),
                () -> {
                  cluster.tell("freeze " + node.process());
                  node.process().freeze();
                }));
    for (Duration waited = Duration.ZERO;
        !node.process().isFrozen() && waited.compareTo(TRAP_MAX) < 0;
        waited = waited.plus(GLANCE)) {
      sleeper.sleep(GLANCE);
    }
    node.store().trap(null);
    if (node.process().isFrozen() && random.nextInt(3) == 0) {
      sleeper.sleep(Duration.ofMillis(5_000 + random.nextInt(3_000)));
      cluster.tell("thaw " + node.process());
      node.process().thaw(); // its operator ends it
      return;
    }
    cluster.tell("kill " + node.process());
    cluster.kill(node);
  }

  private @Nullable SimulatedNode victim(ClusterState state, String written) {
    int who = random.nextInt(5);
    if (who < 2) {
      return cluster.leader();
    }
    List<SimulatedNode> alive = cluster.alive();
    if (who < 4) {
      var index = state.indices().get(written);
      String owner = index == null ? "" : state.assignment(new ShardId(index.id(), 0)).owner();
      return alive.stream()
          .filter(node -> node.isServing() && node.nodeEphemeralId().equals(owner))
          .findFirst()
          .orElse(null);
    }
    return alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
  }
}
