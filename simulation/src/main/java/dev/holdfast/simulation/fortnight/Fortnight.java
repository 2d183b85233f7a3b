package dev.holdfast.simulation.fortnight;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.stream.LifecycleRuns;
import dev.holdfast.api.indices.stream.SeriesRangeRuns;
import dev.holdfast.api.indices.stream.StreamDownsampling;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;

/// One fortnight without nodes: every five minutes documents are written, of which there are only
/// the times, a new leader looks at all streams, and maybe dies of it; then all promises are
/// checked.
public final class Fortnight {
  static final int DAYS = 14;
  private static final long POLL = Duration.ofMinutes(5).toMillis();

  /// Rounds of downsampling may wait for so many polls.
  private static final int POLLS_MAX = 60;

  private static final String LEADER = "leader";

  private final Random random;
  private final FortnightPlant plant;
  private final FortnightWorld clock;
  private final SortedMap<String, StreamPlan> plans;
  private final MortalCluster cluster;
  private final World world;
  private final IndexCreation creation;
  private final StreamPromises promises;

  private long polls;
  private long deaths;

  private Fortnight(long seed, FortnightPlant plant) {
    this.random = new Random(seed);
    this.plant = plant;
    this.plans = StreamPlan.of(random);
    this.clock = new FortnightWorld(random);
    this.promises = new StreamPromises(clock::epochMillis, 0, POLLS_MAX * POLL);
    this.cluster =
        new MortalCluster(
            random,
            StreamTemplates.in(ClusterState.empty("cluster"), plans.values())
                .withCustom("minimum_version", IntNode.valueOf(Formats.INDEX_MODES)),
            plant == FortnightPlant.KEEPS_WHAT_IS_OLD);
    this.world = clock.world(MortalCluster.atOnce());
    this.creation = new IndexCreation(world, cluster, new StandardMappings());
  }

  /// Lives through the fortnight of a seed.
  public static FortnightOutcome of(long seed, FortnightPlant plant) {
    Fortnight fortnight = new Fortnight(seed, plant);
    List<String> violations = new ArrayList<>();
    try {
      fortnight.run();
    } catch (Exception e) {
      violations.add(
          (e instanceof Broken ? "" : "threw ")
              + "at "
              + fortnight.clock.text()
              + ": "
              + (e instanceof Broken ? e.getMessage() : e.toString()));
    }
    return new FortnightOutcome(
        seed, fortnight.polls, fortnight.deaths, fortnight.promises, violations);
  }

  private void run() throws Exception {
    for (String stream : plans.keySet()) {
      while (DataStreams.of(cluster.current(), stream) == null) {
        survive(() -> creation.streams().create(stream));
      }
    }
    long end = clock.epochMillis() + DAYS * StreamPlan.DAY;
    for (; clock.epochMillis() < end; clock.pass(POLL)) {
      ClusterState before = cluster.current();
      write(before);
      promises.lookBegins();
      boolean isAlive =
          survive(() -> {
            new SeriesRangeRuns(cluster, clock, LEADER, storeClock()).run();
            leader().run();
          });
      polls++;
      if (plant == FortnightPlant.DELETES_WHAT_IS_YOUNG && random.nextInt(500) == 0) {
        deleteYoung();
      }
      for (StreamPlan plan : plans.values()) {
        promises.check(before, cluster.current(), plan, isAlive, isAlive);
      }
    }
    // What makes the rest worth something.
    promises.requireMuch(300);
  }

  private boolean survive(MortalCluster.Step step) throws Exception {
    boolean isAlive = MortalCluster.survive(step);
    deaths += isAlive ? 0 : 1;
    return isAlive;
  }

  private StoreClock storeClock() {
    return new StoreClock(world, new MemoryStore()); // which tells no time
  }

  /// Each time another one, which knows what the state says and no more.
  private LifecycleRuns leader() {
    StoreClock storeClock = storeClock();
    return new LifecycleRuns(
        cluster,
        creation.streams(),
        LoadedShards.alone(this::load),
        world,
        LEADER,
        new StreamDownsampling(
            cluster,
            new BackgroundDownsampling(
                MortalCluster.atOnce(),
                cluster::current,
                (source, target, as, _) -> cluster.coarser(source, target, as)),
            clock,
            storeClock),
        storeClock);
  }

  private void deleteYoung() {
    DataStream stream = StreamPromises.stream(cluster.current(), "app-steady");
    if (stream.indices().size() > 1) {
      IndexMetadata oldest = StreamPromises.index(cluster.current(), stream.indices().getFirst());
      cluster.changed(state -> BackingIndices.without(state, oldest));
    }
  }

  /// Documents of the time between two polls.
  private void write(ClusterState state) {
    plans.values().forEach(plan -> promises.written(state, plan, 0.9 + 0.2 * random.nextDouble()));
  }

  /// How hard a shard is written to.
  private double load(ShardId shard) {
    IndexMetadata index = cluster.current().indices().get(shard.index().name());
    return index == null ? 0 : promises.load(shard.index().name()) / index.shards();
  }
}
