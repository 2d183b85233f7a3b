package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.log.IncompleteStateException;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.simulation.schedule.Alarm;
import dev.holdfast.simulation.schedule.FailureText;
import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.simulation.schedule.SimulatedProcess;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Nodes over one store, and the clients' way to them.
public final class SimulatedCluster {
  /// Some clients are patient enough to hear a node that was frozen, some go elsewhere.
  private static final Duration PATIENCE_LONG = Duration.ofSeconds(25);

  private static final Duration PATIENCE_SHORT = Duration.ofSeconds(1);
  private static final Duration CALM_AFTER = Duration.ofSeconds(20);
  private static final String UUID_PREFIX = "uuid-";

  private final Scheduler scheduler;
  private final SplittableRandom random;
  private final Alarm alarm;
  private final Path scratch;
  private final Plant plant;
  private final ClusterShape shape;
  private final SimulatedNetwork network;
  private final StoreWatch watch;
  private final SimulatedProcess outside;
  private final List<SimulatedNode> alive = new ArrayList<>();
  private final List<SimulatedNode> dead = new ArrayList<>();
  private final List<Pending> pending = new ArrayList<>();
  private final List<ShardId> shards = new ArrayList<>();
  private StoreFaults faults = StoreFaults.NONE;
  private long disturbedNanos;
  private int processes;
  private int folders;
  private boolean isStateLost;
  private int refusedStarts;

  /// An answer that somebody waits for.
  private record Pending(SimulatedNode node, CompletableFuture<?> answer) {}

  public SimulatedCluster(
      Scheduler scheduler,
      SplittableRandom random,
      Alarm alarm,
      Path scratch,
      ClusterShape shape,
      Plant plant) {
    this.shape = shape;
    this.network = new SimulatedNetwork(scheduler);
    this.scheduler = scheduler;
    this.random = random;
    this.alarm = alarm;
    this.scratch = scratch;
    this.plant = plant;
    this.watch = new StoreWatch(scheduler, alarm, this::readBy);
    this.outside = new SimulatedProcess(scheduler, "outside", random.split(), alarm);
  }

  /// A new folder for a cluster, in memory where the machine offers it: a history makes and deletes
  /// thousands of small files.
  public static Path scratchFolder() throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.createTempDirectory(
        Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir")),
        "holdfast-simulation");
  }

  /// From now on all that its nodes do to each other and to the store is written down.
  public Transcript transcribe() {
    Transcript transcript = new Transcript();
    network.transcribe(transcript);
    watch.transcribe(transcript);
    return transcript;
  }

  public SimulatedProcess outside() {
    return outside;
  }

  public StoreWatch watch() {
    return watch;
  }

  /// Something was taken from a node, or given back to it.
  public void disturbed() {
    disturbedNanos = scheduler.nowNanos();
  }

  /// Whether all has been well for so long that nothing may fail any more.
  public boolean isCalm() {
    return scheduler.nowNanos() - disturbedNanos > CALM_AFTER.toNanos();
  }

  public SimulatedNetwork network() {
    return network;
  }

  public ClusterShape shape() {
    return shape;
  }

  /// The node that leads, when it is alive and knows it.
  public @Nullable SimulatedNode leader() {
    String leader = watch.leader();
    for (SimulatedNode node : alive) {
      if (node.isServing() && node.nodeEphemeralId().equals(leader)) {
        return node;
      }
    }
    return null;
  }

  /// What search copies read that still may: a node that is a member no more answers no searches.
  /// The newest state that anybody has says who is one: a node that has just taken the lease may
  /// still have an older one, in which it is itself a member.
  private Map<String, SortedSet<BlobId>> readBy(ShardId shard) {
    Map<String, SortedSet<BlobId>> read = new TreeMap<>();
    if (leader() == null) {
      return read;
    }
    SortedMap<String, Member> members =
        alive.stream()
            .filter(SimulatedNode::isServing)
            .map(node -> node.cluster().current())
            .max(Comparator.comparingLong(ClusterState::version))
            .orElseThrow()
            .members();
    for (SimulatedNode node : alive) {
      if (node.isServing()
          && !node.isEvicted()
          && !node.process().isFrozen()
          && members.containsKey(node.nodeEphemeralId())) {
        read.put(node.process().name(), node.blobsRead(shard));
      }
    }
    return read;
  }

  public List<ShardId> shards() {
    return Collections.unmodifiableList(shards);
  }

  public List<SimulatedNode> alive() {
    return List.copyOf(alive);
  }

  static ShardId named(ShardId byUuid) {
    String uuid = byUuid.index().uuid();
    return new ShardId(new IndexId(uuid.substring(UUID_PREFIX.length()), uuid), byUuid.number());
  }

  /// A folder that no process has used.
  public Path freshFolder() {
    return scratch.resolve("disk-" + ++folders);
  }

  /// Starts a node and waits until it serves.
  ///
  /// @return null when it did not come up
  public @Nullable SimulatedNode start(Path folder, SortedSet<Role> roles)
      throws InterruptedException {
    SimulatedProcess process =
        new SimulatedProcess(scheduler, "node-" + ++processes, random.split(), alarm);
    SimulatedNode node =
        new SimulatedNode(scheduler, process, folder, roles, network, shape, watch, faults, plant);
    alive.add(node);
    boolean wasStateLost = isStateLost; // what it looked at may be mended before it says so
    scheduler.tell("start " + process.name() + " in " + folder.getFileName() + " " + roles);
    try {
      answer(
          node,
          () -> {
            node.start();
            return true;
          },
          Duration.ofMinutes(3));
      scheduler.tell("serving " + process.name());
      if (isStateLost) {
        alarm.violated("a node starts over a cluster state that is lost [process=" + process + "]");
      }
      return node;
    } catch (IncompleteStateException e) {
      if (isStateLost) {
        refusedStarts++;
      } else if (!wasStateLost && !process.isDead()) {
        alarm.violated(
            "a whole cluster state is refused [process=" + process + "]: " + FailureText.of(e));
      }
      kill(node);
      return null;
    } catch (TimeoutException | IOException e) {
      kill(node);
      return null;
    } catch (Exception e) {
      if (!process.isDead()) {
        alarm.violated("a node does not start [process=" + process + "]: " + FailureText.of(e));
        kill(node);
      }
      return null;
    }
  }

  public void kill(SimulatedNode node) {
    if (alive.remove(node)) {
      scheduler.tell("dead " + node.process());
      node.kill();
      disturbed();
      dead.add(node);
      for (Pending one : List.copyOf(pending)) {
        if (one.node.equals(node)) {
          one.answer.completeExceptionally(new IOException("connection reset"));
        }
      }
    }
  }

  /// All nodes die, then those objects are deleted.
  public void loseState(List<String> keys) throws IOException {
    alive().forEach(this::kill);
    scheduler.tell("the cluster state is lost " + keys);
    isStateLost = true;
    refusedStarts = 0;
    watch.raw().deleteAll(keys);
  }

  /// How many nodes have refused to start over the lost state.
  public int refusedStarts() {
    return refusedStarts;
  }

  public void stateRepaired(boolean isShort) {
    isStateLost = false;
    disturbed();
    if (isShort) {
      alarm.violated("the repaired state lacks a shard");
    }
  }

  /// A clean stop, which may take only so long.
  public void stop(SimulatedNode node, Duration max) throws InterruptedException {
    scheduler.tell("stop " + node.process());
    try {
      answer(
          node,
          () -> {
            node.stop();
            return true;
          },
          max);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      scheduler.note("stop took too long");
    }
    kill(node);
  }

  /// From now on every node meets these faults at the store.
  public void faults(StoreFaults now) {
    faults = now;
    alive.forEach(node -> node.store().faults(now));
  }

  /// Asks a node, as a client over the wire: a killed node answers nothing, a frozen one late.
  public <T> T call(SimulatedNode node, Callable<T> work) throws Exception {
    return answer(node, work, random.nextBoolean() ? PATIENCE_LONG : PATIENCE_SHORT);
  }

  private <T> T answer(SimulatedNode node, Callable<T> work, Duration max) throws Exception {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Pending waiting = new Pending(node, answer);
    pending.add(waiting);
    var _ =
        node.process()
            .world()
            .tasks()
            .start(
                "request",
                () -> {
                  try {
                    answer.complete(work.call());
                  } catch (Exception | Error e) {
                    answer.completeExceptionally(e);
                  }
                });
    try {
      return outside.world().sleeper().get(answer, max);
    } catch (ExecutionException e) {
      // An interrupt over there is none here.
      throw e.getCause() instanceof Exception cause && !(cause instanceof InterruptedException)
          ? cause
          : new IOException(e.getCause());
    } finally {
      pending.remove(waiting);
    }
  }

  /// Makes an index, through a node that serves.
  public void createIndex(SimulatedNode node, String name, int shardCount) throws Exception {
    IndexId id = new IndexId(name, UUID_PREFIX + name);
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.number_of_shards", Integer.toString(shardCount));
    settings.put("index.uuid", id.uuid());
    settings.put("index.number_of_replicas", Integer.toString(shape.copies()));
    IndexMetadata index =
        new IndexMetadata(
            id,
            shardCount,
            settings,
            1,
            Json.object(),
            1,
            new TreeMap<>(),
            true,
            Collections.nCopies(shardCount, 0L));
    call(node, () -> node.cluster().update("create", state -> state.withIndex(index)));
    for (int number = 0; number < shardCount; number++) {
      shards.add(new ShardId(id, number));
    }
  }

  public void tell(String event) {
    scheduler.tell(event);
  }

  /// Ends everything and gives back what it took of this machine.
  public void bury() {
    for (SimulatedNode node : alive()) {
      kill(node);
    }
    outside.kill();
    SimulatedProcess undertaker =
        new SimulatedProcess(scheduler, "undertaker", random.split(), what -> {});
    boolean[] isDone = new boolean[1];
    scheduler.start(
        undertaker,
        "bury",
        () -> {
          dead.forEach(SimulatedNode::bury);
          isDone[0] = true;
        });
    boolean _ = scheduler.run(() -> isDone[0], Duration.ofMinutes(5));
  }
}
