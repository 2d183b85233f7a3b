package dev.holdfast.simulation.trouble;

import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.simulation.cluster.NodeStore;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNetwork.Way;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Sleeper;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What goes wrong: crashes, processes that are frozen until others have taken over, stores that do
/// not answer or in which others keep things, networks cut one way or both, clean stops.
public final class Trouble {
  static final Duration STOP_MAX = Duration.ofSeconds(14);

  /// How long a node may take to write something, and a cluster to replace it.
  private static final Duration TRAP_MAX = Duration.ofSeconds(3);

  private static final Duration REPLACED_MAX = Duration.ofSeconds(20);
  private static final int NOTES_ONE_IN = 3;

  /// Those that concern a whole store.
  private static final List<StoreFailure> REFUSALS =
      Arrays.stream(StoreFailure.values())
          .filter(failure -> failure.isRefusal() && failure != StoreFailure.ARCHIVED)
          .toList();

  /// A beat or two are lost, and nobody has reason to doubt the other.
  private static final Duration UNHEARD = Duration.ofMillis(700);

  private static final StoreFaults CALM = StoreFaults.NONE.withLatency(15, 80);
  private static final StoreFaults STORM =
      new StoreFaults(0.05, 0.05, 0.02, 5, 25, 400, 0, 0.1, 1_500);

  private final SimulatedCluster cluster;
  private final SplittableRandom random;
  private final SplittableRandom strange;
  private final Sleeper sleeper;
  private int events;
  private long thawedNanos;

  /// @param strange of what somebody keeps in the same store: the rest of the history is the same
  ///   with it and without
  public Trouble(SimulatedCluster cluster, SplittableRandom random, SplittableRandom strange) {
    this.cluster = cluster;
    this.random = random;
    this.strange = strange;
    this.sleeper = cluster.outside().world().sleeper();
    cluster.faults(CALM);
  }

  public int events() {
    return events;
  }

  /// Makes trouble for so many virtual seconds; then all of it ends.
  public void make(Duration time) throws InterruptedException {
    long endNanos = cluster.outside().world().clock().nanoTime() + time.toNanos();
    while (cluster.outside().world().clock().nanoTime() < endNanos) {
      sleeper.sleep(Duration.ofMillis(100 + random.nextInt(2_000)));
      SimulatedNode node = someNode();
      if (node != null) {
        events++;
        happen(node);
      }
      leaveNotes();
    }
    // Who sleeps shall wake as a zombie.
    long left = thawedNanos - cluster.outside().world().clock().nanoTime();
    sleeper.sleep(Duration.ofNanos(Math.max(0, left)));
    cluster.faults(CALM);
    cluster.network().mendAll();
    cluster.network().weather(1, 0);
    for (SimulatedNode node : cluster.alive()) {
      node.store().outage(false);
      node.store().refuse(null, "");
      node.process().thaw();
    }
    cluster.disturbed();
  }

  /// Somebody, or a tool that shows a bucket as folders, puts things among the cluster's own.
  private void leaveNotes() {
    if (strange.nextInt(NOTES_ONE_IN) != 0) {
      return;
    }
    try {
      cluster.tell("somebody leaves " + cluster.watch().shared().leaveNotes(strange));
    } catch (StoreException e) {
      throw new IllegalStateException(e); // it is memory
    }
  }

  /// Often the leader: most of what can go wrong goes wrong there.
  private @Nullable SimulatedNode someNode() {
    SimulatedNode leader = cluster.leader();
    if (leader != null && random.nextInt(3) == 0) {
      return leader;
    }
    List<SimulatedNode> alive = cluster.alive();
    return alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
  }

  private void happen(SimulatedNode node) throws InterruptedException {
    switch (random.nextInt(cluster.shape().isSolo() ? 9 : 13)) {
      case 0, 1 -> {
        // One that is frozen shall mostly wake, and be a zombie.
        if (!node.process().isFrozen() || random.nextInt(4) == 0) {
          if (random.nextInt(4) == 0) {
            dieInFlight(node);
          }
          cluster.tell("kill " + node.process());
          cluster.kill(node);
        }
      }
      case 2 -> freeze(node, Duration.ofMillis(100 + random.nextInt(12_000)));
      case 3 -> {
        if (random.nextInt(3) == 0) {
          freezeAtWrite(node, Duration.ofMillis(7_000 + random.nextInt(6_000)));
        } else {
          replaceAtWrite(node);
        }
      }
      case 4 -> {
        if (random.nextInt(3) == 0) {
          dieWithoutStore(node);
        } else {
          outage(node, Duration.ofMillis(100 + random.nextInt(10_000)));
        }
      }
      case 5 -> cluster.faults(STORM);
      case 6 -> cluster.faults(CALM);
      case 7 -> {
        if (node.isServing()) {
          cluster.stop(node, STOP_MAX);
        }
      }
      case 8 -> refusal(node, Duration.ofMillis(100 + random.nextInt(15_000)));
      case 9, 10 -> partition(node, Duration.ofMillis(100 + random.nextInt(15_000)));
      case 11 -> {
        cluster.tell("bad weather");
        cluster.network().weather(1 + random.nextInt(300), 0.05 * random.nextDouble());
      }
      default -> cluster.network().weather(1, 0);
    }
  }

  private void freeze(SimulatedNode node, Duration time) {
    cluster.tell("freeze " + node.process() + " for " + time.toMillis() + " ms");
    node.process().freeze();
    thawedNanos =
        Math.max(thawedNanos, cluster.outside().world().clock().nanoTime() + time.toNanos());
    later(time, node.process()::thaw);
  }

  /// Long enough for others to take over while a write is on its way.
  private void freezeAtWrite(SimulatedNode node, Duration time) {
    node.store().trap(new NodeStore.Trap(somePrefix(), () -> freeze(node, time)));
  }

  /// Keys that a node writes to, or deletes.
  private String somePrefix() {
    return random.nextInt(3) == 0 ? "" : random.nextBoolean() ? "log/" : "shards/";
  }

  /// The worst moment to sleep: the node has decided to write, another one takes its place while
  /// nothing else goes wrong, and then it wakes and goes on.
  private void replaceAtWrite(SimulatedNode node) throws InterruptedException {
    if (!node.isServing() || node.process().isFrozen()) {
      return;
    }
    node.store()
        .trap(
            new NodeStore.Trap(
                somePrefix(),
                () -> {
                  cluster.tell("freeze " + node.process() + " until it is replaced");
                  node.process().freeze();
                }));
    pauseUntil(TRAP_MAX, node.process()::isFrozen);
    node.store().trap(null);
    if (node.process().isFrozen()) {
      pauseUntil(REPLACED_MAX, () -> isReplaced(node));
      sleeper.sleep(Duration.ofMillis(random.nextInt(2_000)));
      cluster.tell("thaw " + node.process());
      node.process().thaw();
      cluster.disturbed();
      sleeper.sleep(Duration.ofMillis(500));
    }
  }

  /// Whether a leader lives that has evicted the node.
  private boolean isReplaced(SimulatedNode node) {
    SimulatedNode leader = cluster.leader();
    return leader != null
        && !leader.equals(node)
        && !leader.cluster().current().members().containsKey(node.nodeEphemeralId());
  }

  private void pauseUntil(Duration max, BooleanSupplier isDone) throws InterruptedException {
    Clock clock = cluster.outside().world().clock();
    long endNanos = clock.nanoTime() + max.toNanos();
    while (!isDone.getAsBoolean() && clock.nanoTime() < endNanos) {
      sleeper.sleep(Duration.ofMillis(50));
    }
  }

  /// A file of the log is held up on its way while those behind it land, until the node dies.
  private void dieInFlight(SimulatedNode node) throws InterruptedException {
    Sleeper there = node.process().world().sleeper();
    boolean[] isHeld = new boolean[1];
    node.store()
        .trap(
            new NodeStore.Trap(
                "log/",
                () -> {
                  isHeld[0] = true;
                  try {
                    there.sleep(TRAP_MAX);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    pauseUntil(TRAP_MAX, () -> isHeld[0]);
    node.store().trap(null);
    if (isHeld[0]) {
      cluster.tell("a file of the log of " + node.process() + " is held up");
      sleeper.sleep(Duration.ofMillis(200 + random.nextInt(1_500)));
    }
  }

  /// What was told while the store did not answer is looked for after the node died.
  private void dieWithoutStore(SimulatedNode node) throws InterruptedException {
    outage(node, Duration.ofSeconds(5));
    sleeper.sleep(Duration.ofMillis(200 + random.nextInt(2_500)));
    if (!node.process().isDead()) {
      cluster.tell("kill " + node.process() + " without a store");
      cluster.kill(node);
    }
  }

  private void outage(SimulatedNode node, Duration time) {
    cluster.tell("no store for " + node.process() + " for " + time.toMillis() + " ms");
    node.store().outage(true);
    later(time, () -> node.store().outage(false));
  }

  /// The store refuses one node or all, everything, their logs or deletions, before or after it has
  /// done what was asked: a policy, a token, a clock, an encryption key, a lock.
  private void refusal(SimulatedNode node, Duration time) {
    List<SimulatedNode> refused = random.nextInt(3) == 0 ? cluster.alive() : List.of(node);
    String prefix = random.nextInt(3) == 0 ? "log/" : "";
    int what = random.nextInt(8);
    boolean isAfter = what < 2;
    boolean isOfDeletes = what == 2;
    StoreFailure failure = REFUSALS.get(random.nextInt(REFUSALS.size()));
    cluster.tell(
        "the store refuses "
            + refused.stream().map(one -> one.process().name()).toList()
            + " as "
            + failure.label()
            + (isAfter ? " what it has done" : isOfDeletes ? " deletions" : "")
            + " for "
            + time.toMillis()
            + " ms [keys="
            + prefix
            + "]");
    for (SimulatedNode one : List.copyOf(refused)) {
      if (isAfter) {
        one.store().refuseAfter(failure);
      } else if (isOfDeletes) {
        one.store().refuseDeletes(failure);
      } else {
        one.store().refuse(failure, prefix);
      }
      later(time, () -> one.store().refuse(null, ""));
    }
  }

  /// The store refuses all nodes everything while nothing else is wrong, for up to a minute as
  /// these clusters count it.
  public Duration refuseAll() throws InterruptedException {
    Duration time = Duration.ofMillis(1_000 + random.nextInt(19_000));
    List<SimulatedNode> refused = List.copyOf(cluster.alive());
    cluster.tell("the store refuses all nodes for " + time.toMillis() + " ms");
    cluster.disturbed();
    refused.forEach(node -> node.store().refuse(StoreFailure.DENIED, ""));
    loseBeat(refused);
    sleeper.sleep(time);
    refused.forEach(node -> node.store().refuse(null, ""));
    cluster.disturbed();
    return time;
  }

  /// One of them is not heard for a moment, and looks at a lease that it cannot read.
  private void loseBeat(List<SimulatedNode> nodes) {
    SimulatedNode leader = cluster.leader();
    SimulatedNode one = nodes.get(random.nextInt(nodes.size()));
    if (leader != null && !one.equals(leader)) {
      cut(new Way(one.address(), leader.address()), UNHEARD);
    }
  }

  /// Cuts ways from or to a node, of one other node or of all.
  private void partition(SimulatedNode node, Duration time) {
    boolean isFrom = random.nextInt(3) != 0;
    boolean isTo = !isFrom || random.nextInt(2) == 0;
    boolean isOfAll = random.nextInt(2) == 0;
    List<SimulatedNode> others =
        cluster.alive().stream().filter(other -> !other.equals(node)).toList();
    if (others.isEmpty()) {
      return;
    }
    List<SimulatedNode> chosen =
        isOfAll ? others : List.of(others.get(random.nextInt(others.size())));
    cluster.tell(
        "cut "
            + (isFrom ? "from " : "")
            + (isTo ? "to " : "")
            + node.process()
            + " "
            + chosen.stream().map(other -> other.process().name()).toList()
            + " for "
            + time.toMillis()
            + " ms");
    for (SimulatedNode other : chosen) {
      if (isFrom) {
        cut(new Way(node.address(), other.address()), time);
      }
      if (isTo) {
        cut(new Way(other.address(), node.address()), time);
      }
    }
  }

  private void cut(Way way, Duration time) {
    cluster.network().cut(way);
    later(time, () -> cluster.network().mend(way));
  }

  private void later(Duration time, Runnable end) {
    cluster.disturbed();
    var _ =
        cluster
            .outside()
            .world()
            .tasks()
            .start(
                "trouble-ends",
                () -> {
                  sleeper.sleep(time);
                  end.run();
                  cluster.disturbed();
                });
  }
}
