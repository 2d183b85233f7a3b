package dev.holdfast.simulation.fortnight;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.stream.LifecycleRuns;
import dev.holdfast.api.indices.stream.StreamDownsampling;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;

/// One fortnight: every five minutes documents are written, a new leader looks at all streams, and
/// maybe dies of it; then all promises are checked.
public final class Fortnight {
  private static final long POLL = Duration.ofMinutes(5).toMillis();
  private static final long DAYS = 14 * StreamPlan.DAY;

  /// Rounds of downsampling may wait for so many polls: for a leader that lives long enough.
  private static final int POLLS_MAX = 60;

  private final Random random;
  private final FortnightPlant plant;
  private final FortnightWorld clock;
  private final SortedMap<String, StreamPlan> plans;
  private final MortalCluster cluster;
  private final World world;
  private final IndexCreation creation;
  private final Map<String, WrittenIndex> written = new HashMap<>();

  private long polls;
  private long deaths;
  private long batches;
  private long rollovers;
  private long deleted;
  private long coarsened;
  private int shardsMax;

  private Fortnight(long seed, FortnightPlant plant) {
    this.random = new Random(seed);
    this.plant = plant;
    this.plans = StreamPlan.of(random);
    this.clock = new FortnightWorld(random);
    this.cluster =
        new MortalCluster(
            random,
            templates(ClusterState.empty("cluster")),
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
        seed,
        fortnight.polls,
        fortnight.deaths,
        fortnight.batches,
        fortnight.rollovers,
        fortnight.deleted,
        fortnight.coarsened,
        fortnight.shardsMax,
        violations);
  }

  private void run() throws Exception {
    for (String stream : plans.keySet()) {
      while (DataStreams.of(cluster.current(), stream) == null) {
        survive(() -> creation.streams().create(stream));
      }
    }
    long end = clock.epochMillis() + DAYS;
    for (; clock.epochMillis() < end; clock.pass(POLL)) {
      ClusterState before = cluster.current();
      write(before);
      boolean isAlive = survive(leader()::run);
      polls++;
      if (plant == FortnightPlant.DELETES_WHAT_IS_YOUNG && random.nextInt(500) == 0) {
        deleteYoung();
      }
      for (StreamPlan plan : plans.values()) {
        check(before, cluster.current(), plan, isAlive);
      }
    }
    // What makes the rest worth something.
    Broken.unless(coarsened > 8, () -> "only %d indices were downsampled".formatted(coarsened));
    Broken.unless(
        shardsMax > 2, () -> "a load of 40 threads and more had %d shards".formatted(shardsMax));
    Broken.unless(rollovers > 300, () -> "there were %d rollovers".formatted(rollovers));
  }

  private boolean survive(MortalCluster.Step step) throws Exception {
    boolean isAlive = MortalCluster.survive(step);
    deaths += isAlive ? 0 : 1;
    return isAlive;
  }

  /// Each time another one, which knows what the state says and no more.
  private LifecycleRuns leader() {
    StoreClock storeClock = new StoreClock(world, new MemoryStore()); // which tells no time
    return new LifecycleRuns(
        cluster,
        creation.streams(),
        shards(cluster),
        world,
        "leader",
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
    DataStream stream = stream(cluster.current(), "app-steady");
    if (stream.indices().size() > 1) {
      IndexMetadata oldest = index(cluster.current(), stream.indices().getFirst());
      cluster.changed(state -> BackingIndices.without(state, oldest));
    }
  }

  private ClusterState templates(ClusterState state) {
    ObjectNode all = Json.object();
    for (StreamPlan plan : plans.values()) {
      ObjectNode template = all.putObject(plan.name());
      template.putArray("index_patterns").add(plan.name());
      template.putObject("data_stream");
      template
          .putObject("template")
          .putObject("lifecycle")
          .put("data_retention", plan.retentionMillis() / StreamPlan.HOUR + "h");
      if (plan.isSeries()) {
        series(plan, template.withObject("/template"));
      }
    }
    return state
        .withCustom("index_templates", all)
        .withCustom("minimum_version", IntNode.valueOf(Formats.INDEX_MODES));
  }

  private static void series(StreamPlan plan, ObjectNode template) {
    ArrayNode rounds = template.withObject("/lifecycle").putArray("downsampling");
    plan.rounds()
        .forEach((after, hours) ->
            rounds
                .addObject()
                .put("after", after / StreamPlan.HOUR + "h")
                .put("fixed_interval", hours + "h"));
    template.putObject("settings").put("index.mode", "time_series");
    template
        .withObject("/mappings/properties/d")
        .put("type", "keyword")
        .put("time_series_dimension", true);
  }

  /// Documents of the time between two polls.
  private void write(ClusterState state) {
    for (DataStream stream : DataStreams.all(state)) {
      WrittenIndex index =
          written.computeIfAbsent(
              stream.writeIndex(),
              name -> new WrittenIndex(ShardFormula.created(index(state, name))));
      double noise = 0.9 + 0.2 * random.nextDouble();
      double load = noise * plan(stream.name()).load().at(clock.hours());
      index.written(load, clock.epochMillis());
      batches++;
    }
  }

  private StreamPlan plan(String stream) {
    return Objects.requireNonNull(plans.get(stream), stream);
  }

  private static DataStream stream(ClusterState state, String name) {
    return Objects.requireNonNull(DataStreams.of(state, name), name);
  }

  private static IndexMetadata index(ClusterState state, String name) {
    return Objects.requireNonNull(state.indices().get(name), name);
  }

  /// The index that the data of another came from first.
  static String origin(String index) {
    return index.replaceAll("^downsample-\\d+h-", "");
  }

  private void check(ClusterState before, ClusterState after, StreamPlan plan, boolean isAlive) {
    DataStream was = stream(before, plan.name());
    DataStream is = stream(after, plan.name());
    if (plan.isSeries()) {
      checkCoarse(was, after, plan);
    }
    checkKept(was, is, plan);
    if (isAlive) {
      checkDeleted(after, is, plan);
    }
    if (!is.writeIndex().equals(was.writeIndex())) {
      rollovers++;
      Broken.unless(
          is.generation() == was.generation() + 1,
          () -> "%s is no next generation".formatted(is.writeIndex()));
      int expected = new ShardFormula(before, written, clock.epochMillis()).expected(was);
      int shards = index(after, is.writeIndex()).shards();
      Broken.unless(
          shards == expected,
          () -> "%s has %d shards, not %d".formatted(is.writeIndex(), shards, expected));
      shardsMax = Math.max(shardsMax, shards);
    } else if (isAlive) {
      long age = clock.epochMillis() - ShardFormula.created(index(after, is.writeIndex()));
      Broken.unless(
          age < plan.writeAgeMaxMillis(), () -> "%s is %d ms old".formatted(is.writeIndex(), age));
    }
  }

  /// No document that was acknowledged is missing before its time.
  private void checkKept(DataStream was, DataStream is, StreamPlan plan) {
    List<String> left = is.indices().stream().map(Fortnight::origin).toList();
    for (String each : was.indices()) {
      String index = origin(each);
      if (!left.contains(index)) {
        deleted++;
        WrittenIndex known = written.get(index);
        long since = clock.epochMillis() - (known == null ? 0 : known.lastMillis);
        Broken.unless(
            since >= plan.retentionMillis(),
            () -> "%s was deleted %d ms after its last document".formatted(index, since));
      }
    }
  }

  /// Nothing is kept beyond its time and a poll.
  private void checkDeleted(ClusterState after, DataStream is, StreamPlan plan) {
    for (String index : is.indices()) {
      long since =
          clock.epochMillis()
              - LifecycleRuns.rolledOverMillis(after, is, DataStream.Component.DATA, index);
      Broken.unless(
          index.equals(is.writeIndex()) || since <= plan.retentionMillis(),
          () -> "%s is kept %d ms after it was rolled over".formatted(index, since));
    }
  }

  private void checkCoarse(DataStream was, ClusterState after, StreamPlan plan) {
    DataStream is = stream(after, plan.name());
    for (int i = 0; i < is.indices().size() - 1; i++) {
      String name = is.indices().get(i);
      IndexMetadata index = index(after, name);
      Broken.unless(
          index.setting("index.downsample.status", "success").equals("success"),
          () -> "%s has its place before it is done".formatted(name));
      WrittenIndex known = written.get(origin(name));
      if (known == null) {
        continue;
      }
      Broken.unless(
          ShardFormula.created(index) == known.createdMillis,
          () -> "%s has become younger".formatted(name));
      long since =
          clock.epochMillis() - ShardFormula.created(index(after, is.indices().get(i + 1)));
      int hours =
          Integer.parseInt(index.setting("index.downsample.interval", "0h").replace("h", ""));
      Broken.unless(
          hours >= plan.due(since - POLLS_MAX * POLL) && hours <= plan.due(since),
          () ->
              "%s has intervals of %d h, %d ms after it was rolled over"
                  .formatted(name, hours, since));
      coarsened += was.indices().contains(name) ? 0 : 1;
    }
  }

  /// Shards that say how hard they are written to, and can do nothing else.
  private IndexingShards shards(Metadata metadata) {
    return (IndexingShards)
        Proxy.newProxyInstance(
            IndexingShards.class.getClassLoader(),
            new Class<?>[] {IndexingShards.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("awaitOpen")) {
                return null;
              }
              Broken.unless(
                  method.getName().equals("stats"),
                  () -> "[%s] is asked of shards".formatted(method));
              String name = ((ShardId) arguments[0]).index().name();
              WrittenIndex index = written.get(name);
              double threads = index == null ? 0 : index.load(clock.epochMillis());
              return stats(threads / index(metadata.current(), name).shards());
            });
  }

  private static ShardStats stats(double threads) {
    long milli = Math.round(threads * 1_000);
    return new ShardStats(
        1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, milli, milli,
        milli);
  }
}
