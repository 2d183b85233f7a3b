package dev.holdfast.simulation.trouble;

import dev.holdfast.clusterstate.log.StateSurvey;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.schedule.Alarm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// While nothing else is wrong, somebody deletes or damages what a cluster that lives keeps of
/// itself in the store: its leader knows it, and puts it back (decision 017).
public final class StateTampering {
  /// Looks for states are a minute apart, and the second follows the first.
  private static final Duration MENDED_MAX = Duration.ofMinutes(3);

  private static final String LEASE = "cluster/lease";
  private static final String STATES = "cluster/state/";
  private static final int LIST_MAX = 1000;

  private final SimulatedCluster cluster;
  private final Alarm alarm;
  private final SplittableRandom random;

  public StateTampering(SimulatedCluster cluster, Alarm alarm, SplittableRandom random) {
    this.cluster = cluster;
    this.alarm = alarm;
    this.random = random;
  }

  /// What is done.
  private enum Kind {
    LEASE_DELETED,
    LEASE_DAMAGED,
    STATES_DELETED,
    A_STATE_DELETED
  }

  public void happen() throws InterruptedException {
    // A trap that nobody stepped into yet would freeze a node of itself.
    cluster.alive().forEach(node -> node.store().trap(null));
    SimulatedNode leader = cluster.leader();
    if (leader == null) {
      return;
    }
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    try {
      ObjectStore raw = cluster.watch().raw();
      long known = leader.cluster().current().version();
      cluster.tell("somebody tampers with the cluster state: " + kind);
      tamper(raw, kind);
      long endNanos = nanos() + MENDED_MAX.toNanos();
      while (!isMended(raw, known)) {
        if (nanos() > endNanos) {
          alarm.violated(
              "what somebody did to the cluster state is not mended [what=" + kind + "]");
          return;
        }
        cluster.outside().world().sleeper().sleep(Duration.ofMillis(200));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    if (!leader.equals(cluster.leader())) {
      alarm.violated(
          "a leader ended for what somebody did to the cluster state [what=" + kind + "]");
    }
  }

  /// Whether the store holds what the leader knew. What is there may be whole without: nothing else
  /// tells of the newest state of all.
  private static boolean isMended(ObjectStore raw, long version) throws IOException {
    return new StateSurvey(raw).look() instanceof StateSurvey.Finding.Whole whole
        && whole.state().version() >= version;
  }

  private void tamper(ObjectStore raw, Kind kind) throws IOException {
    List<String> states =
        raw.list(STATES, "", LIST_MAX).stream().map(ObjectStore.Listed::key).toList();
    switch (kind) {
      case LEASE_DELETED -> raw.deleteAll(List.of(LEASE));
      case LEASE_DAMAGED -> raw.put(LEASE, ObjectBody.of(new byte[] {1, 2, 3}));
      case STATES_DELETED -> raw.deleteAll(states);
      case A_STATE_DELETED -> raw.deleteAll(List.of(states.get(random.nextInt(states.size()))));
    }
  }

  private long nanos() {
    return cluster.outside().world().clock().nanoTime();
  }
}
