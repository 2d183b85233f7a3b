package dev.holdfast.simulation.fortnight;

import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.schedule.FailureText;
import dev.holdfast.simulation.schedule.LuceneIds;
import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.simulation.trouble.Operator;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Tasks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// One fortnight of a cluster: nodes with their log, their shards and their store, to whose streams
/// clients write documents. Its calendar leaps from one look of the leader to the next, while the
/// nodes live through the moments between: they write, roll over, merge, make coarser and delete,
/// and die of it.
public final class ClusterFortnight {
  /// Between two looks of a leader.
  private static final Duration POLL = Duration.ofMinutes(30);

  /// Series end later every so many looks, of which one may fail.
  private static final int RANGE_LOOKS = 2;

  /// A write index may be late by so many looks: while it moves, nobody knows how large it is.
  private static final int LATE_MAX = 4;

  /// And a round of downsampling by so many.
  private static final int COARSE_LATE_MAX = 20;

  private static final int WRITE_ONE_IN = 10;
  private static final int DEATH_ONE_IN = 100;
  private static final int DEATH_AT_ROLLOVER_ONE_IN = 6;
  private static final int LOOK_ONE_IN = 150;
  private static final Duration GLANCE = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int PATIENCE_LOOKS_MAX = 180;
  private static final Duration CHAPTER_MAX = Duration.ofMinutes(20);
  private static final Duration WELL_MAX = Duration.ofMinutes(3);

  private final SplittableRandom random;
  private final FortnightPlant plant;
  private final int days;
  private final Scheduler scheduler;
  private final List<String> violations = new ArrayList<>();
  private final SortedMap<String, StreamPlan> plans;
  private final SimulatedCluster cluster;
  private final Clock clock;
  private final StreamPromises promises;
  private final StreamDocuments documents = new StreamDocuments(this::violated);
  private final StreamNodes nodes;
  private final StreamWriters writers;
  private final StreamSearch search;
  private final NodeDeaths deaths;
  private final List<Operator> operators = new ArrayList<>();
  private long looks;
  private boolean isRangeDue;
  private boolean isDone;

  private ClusterFortnight(
      long seed,
      FortnightPlant plant,
      int days,
      Path scratch,
      @Nullable Consumer<String> narrator) {
    this.random = new SplittableRandom(seed);
    this.plant = plant;
    this.days = days;
    this.plans = StreamPlan.few(random);
    this.scheduler = new Scheduler(random.split(), narrator);
    ClusterShape shape = ClusterShape.PAIR;
    this.cluster =
        new SimulatedCluster(
            scheduler, random.split(), this::violated, scratch, shape, plant.ofNodes());
    cluster.watch().expectDeletedIndices();
    this.clock = cluster.outside().world().clock();
    this.promises =
        new StreamPromises(
            clock::epochMillis, LATE_MAX * POLL.toMillis(), COARSE_LATE_MAX * POLL.toMillis());
    this.nodes =
        new StreamNodes(
            cluster, promises, random.split(), plant == FortnightPlant.MISSES_WHEN_DOWNSAMPLED);
    this.writers = new StreamWriters(cluster, nodes, documents, this::violated, random.split());
    this.search = new StreamSearch(cluster, nodes, documents, this::violated);
    this.deaths = new NodeDeaths(cluster, random.split());
    shape.places().forEach(roles -> operators.add(new Operator(cluster, random.split(), roles)));
  }

  /// Lives through the first days of the fortnight of a seed.
  ///
  /// @param narrator hears what people may want to read; null for nobody
  public static FortnightOutcome of(
      long seed, FortnightPlant plant, int days, @Nullable Consumer<String> narrator)
      throws IOException {
    LuceneIds.areOf(seed);
    Path scratch = SimulatedCluster.scratchFolder();
    try {
      return new ClusterFortnight(seed, plant, days, scratch, narrator).run(seed);
    } finally {
      IOUtils.rm(scratch);
    }
  }

  private void violated(String what) {
    scheduler.tell("VIOLATED " + what);
    violations.add("at look " + looks + ": " + what);
  }

  private FortnightOutcome run(long seed) {
    act("story", this::tellAll);
    long chapter = -1;
    while (!isDone && violations.isEmpty() && looks > chapter) {
      chapter = looks;
      long end = looks + 100;
      boolean _ = scheduler.run(() -> isDone || !violations.isEmpty() || looks >= end, CHAPTER_MAX);
    }
    if (!isDone && violations.isEmpty()) {
      violated("the fortnight does not end");
    }
    FortnightOutcome outcome =
        new FortnightOutcome(seed, looks, 0, promises, List.copyOf(violations))
            .withDocuments(deaths.deaths(), documents.acknowledged(), documents.found());
    cluster.bury();
    return outcome;
  }

  private void tellAll() {
    try {
      tell();
    } catch (Exception e) {
      violated(e instanceof Broken ? String.valueOf(e.getMessage()) : FailureText.of(e));
    }
  }

  private void tell() throws Exception {
    for (Operator operator : operators) {
      act("operator", operator::operate);
    }
    awaitWell();
    SimulatedNode first = nodes.leader();
    cluster.call(
        first,
        () ->
            first
                .cluster()
                .update("templates", state -> StreamTemplates.in(state, plans.values())));
    for (String stream : plans.keySet()) {
      cluster.call(first, () -> nodes.at(first).streams().create(stream));
    }
    long end = clock.epochMillis() + days * StreamPlan.DAY;
    ClusterState state = nodes.state();
    while (clock.epochMillis() < end && violations.isEmpty()) {
      state = step(state);
    }
    awaitWell();
    for (StreamPlan plan : plans.values()) {
      search.look(plan);
    }
    if (days == Fortnight.DAYS) {
      promises.requireMuch(30);
    }
    isDone = true;
  }

  private Tasks.Task act(String name, Tasks.Work work) {
    return cluster.outside().world().tasks().start(name, work);
  }

  /// From one look to the next.
  ///
  /// @param before the newest state
  /// @return the newest state
  private ClusterState step(ClusterState before) throws Exception {
    for (StreamPlan plan : plans.values()) {
      if (promises.isLeaving(before, plan, POLL.toMillis())) {
        search.look(plan); // the last time for some
      }
    }
    scheduler.leap(POLL);
    List<Tasks.Task> acting = new ArrayList<>();
    StreamPlan old = old(before);
    boolean isTroubled = random.nextInt(old == null ? DEATH_ONE_IN : DEATH_AT_ROLLOVER_ONE_IN) == 0;
    for (StreamPlan plan : plans.values()) {
      promises.written(before, plan, 0.9 + 0.2 * random.nextDouble());
      if (isTroubled || random.nextInt(WRITE_ONE_IN) == 0) {
        acting.add(act("writer", () -> writers.write(plan)));
      }
    }
    if (isTroubled) {
      String dying =
          StreamPromises.stream(before, old == null ? plans.firstKey() : old.name()).writeIndex();
      acting.add(act("death", () -> deaths.happen(before, dying)));
    }
    Set<String> written =
        plans.keySet().stream()
            .filter(stream ->
                documents.areIn(stream, StreamPromises.stream(before, stream).writeIndex()))
            .collect(Collectors.toSet());
    long unanswered = nodes.unanswered();
    isRangeDue |= looks % RANGE_LOOKS == 0;
    promises.lookBegins();
    boolean isLooked = look() && !isTroubled;
    boolean isKnown = isLooked && unanswered == nodes.unanswered();
    for (Tasks.Task task : acting) {
      task.join();
    }
    looks++;
    if (plant == FortnightPlant.COUNTS_FROM_CREATION) {
      deleteTooEarly();
    }
    ClusterState after = patient();
    for (StreamPlan plan : plans.values()) {
      documents.left(after, plan, clock.epochMillis());
      if (violations.isEmpty()) {
        promises.check(before, after, plan, isLooked, isKnown && written.contains(plan.name()));
      }
    }
    if (isTroubled && random.nextInt(4) != 0) {
      awaitWell();
    }
    if (random.nextInt(LOOK_ONE_IN) == 0 || (isTroubled && random.nextInt(4) == 0)) {
      search.look(
          plans.values().stream().skip(random.nextInt(plans.size())).findFirst().orElseThrow());
    }
    return nodes.state();
  }

  /// The newest state, when nothing is late in it by the calendar only because too little time has
  /// passed beside it: what waits for a node that died does so by a clock.
  private ClusterState patient() throws InterruptedException {
    ClusterState state = nodes.state();
    for (int i = 0; i < PATIENCE_LOOKS_MAX && isLate(state); i++) {
      cluster.outside().world().sleeper().sleep(PATIENCE);
      boolean _ = look();
      state = nodes.state();
    }
    return state;
  }

  private boolean isLate(ClusterState state) {
    return plans.values().stream().anyMatch(plan -> promises.isLate(state, plan));
  }

  /// A stream that is due to have its next index.
  private @Nullable StreamPlan old(ClusterState state) {
    return plans.values().stream()
        .filter(plan -> promises.isOld(state, plan))
        .findFirst()
        .orElse(null);
  }

  /// The leader looks after the streams.
  ///
  /// @return whether it lived through it
  private boolean look() throws InterruptedException {
    SimulatedNode leader = nodes.leader();
    boolean[] isOver = new boolean[2];
    var _ =
        leader
            .process()
            .world()
            .tasks()
            .start(
                "look",
                () -> {
                  try {
                    nodes.at(leader).look(isRangeDue);
                    isRangeDue = false;
                    isOver[1] = true;
                  } finally {
                    isOver[0] = true;
                  }
                });
    while (!isOver[0] && leader.isServing() && !leader.process().isFrozen()) {
      cluster.outside().world().sleeper().sleep(GLANCE);
    }
    return isOver[1];
  }

  private void deleteTooEarly() throws Exception {
    SimulatedNode leader = nodes.leader();
    ClusterState state = leader.cluster().current();
    for (StreamPlan plan : plans.values()) {
      DataStream stream = StreamPromises.stream(state, plan.name());
      for (String name : stream.indices()) {
        IndexMetadata index = StreamPromises.index(state, name);
        if (!name.equals(stream.writeIndex())
            && clock.epochMillis() - ShardFormula.created(index) > plan.retentionMillis()) {
          cluster.call(
              leader,
              () ->
                  leader
                      .cluster()
                      .update("too early", newest -> BackingIndices.without(newest, index)));
        }
      }
    }
  }

  /// Waits until every node serves and one leads.
  private void awaitWell() throws InterruptedException {
    long endNanos = clock.nanoTime() + WELL_MAX.toNanos();
    while (!operators.stream().allMatch(Operator::isServing)) {
      cluster.outside().world().sleeper().sleep(GLANCE);
      if (clock.nanoTime() > endNanos) {
        throw new IllegalStateException("nodes do not come back");
      }
    }
    SimulatedNode _ = nodes.leader();
  }
}
