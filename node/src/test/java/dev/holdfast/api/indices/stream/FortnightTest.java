package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
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
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two weeks of four streams whose load changes, one of time series, on a clock that is turned by
/// hand, while leaders die before and after their changes are durable.
final class FortnightTest {
  private static final long POLL = Duration.ofMinutes(5).toMillis();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = 24 * HOUR;
  private static final long START = 1_767_225_600_000L;
  private static final Map<String, Long> RETENTIONS =
      Map.of(
          "app-steady",
          3 * DAY,
          "app-daily",
          20 * HOUR,
          "app-growing",
          7 * DAY,
          "app-series",
          5 * DAY);

  /// The rounds of `app-series`: coarse times, in hours, by how long after the next index was made.
  private static final Map<Long, Integer> ROUNDS = new TreeMap<>(Map.of(6 * HOUR, 1, 2 * DAY, 6));

  /// How many polls an index may wait for a leader that lives long enough to make it coarser.
  private static final int POLLS_MAX = 60;

  /// What is known of an index by who writes to it.
  private static final class Written {
    final long createdMillis;
    long lastMillis;
    double threadMillis;

    Written(long createdMillis) {
      this.createdMillis = createdMillis;
      lastMillis = createdMillis;
    }

    double load(long nowMillis) {
      return nowMillis == createdMillis ? 0 : threadMillis / (nowMillis - createdMillis);
    }
  }

  private static final class Hand implements Clock {
    long millis = START;

    @Override
    public long nanoTime() {
      return millis * 1_000_000;
    }

    @Override
    public long epochMillis() {
      return millis;
    }
  }

  private final Hand clock = new Hand();
  private final Map<String, Written> written = new HashMap<>();
  private int coarsened;

  private double load(String stream) {
    long hours = (clock.millis - START) / HOUR;
    return switch (stream) {
      case "app-steady", "app-series" -> 0.5;
      case "app-daily" -> hours % 24 >= 8 && hours % 24 < 18 ? 5 : 0.2;
      default -> hours * 60.0 / (14 * 24);
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void streamsAreCutKeptAndShardedAsTheFormulasSay(long seed) throws Exception {
    MortalCluster metadata =
        new MortalCluster(new Random(seed), templates(ClusterState.empty("cluster")));
    World real = RealWorld.create();
    World world =
        new World(clock, real.sleeper(), real.ids(), real.chance(), MortalCluster.atOnce());
    IndexCreation creation = new IndexCreation(world, metadata, new StandardMappings());
    for (String stream : RETENTIONS.keySet()) {
      while (DataStreams.of(metadata.current(), stream) == null) {
        MortalCluster.survive(() -> creation.streams().create(stream));
      }
    }
    int shardsMax = 0;
    for (; clock.millis < START + 14 * DAY; clock.millis += POLL) {
      ClusterState before = metadata.current();
      write(before);
      LifecycleRuns leader =
          new LifecycleRuns(
              metadata,
              creation.streams(),
              shards(metadata),
              world,
              "leader",
              new StreamDownsampling(
                  metadata,
                  new BackgroundDownsampling(
                      MortalCluster.atOnce(),
                      metadata::current,
                      (source, target, as, _) -> metadata.coarser(source, target, as)),
                  clock));
      boolean isAlive = MortalCluster.survive(leader::run);
      for (String stream : RETENTIONS.keySet()) {
        check(before, metadata.current(), stream, isAlive);
      }
      DataStream growing = DataStreams.of(metadata.current(), "app-growing");
      shardsMax = Math.max(shardsMax, shardsOf(metadata.current(), growing.writeIndex()));
    }
    assertThat(coarsened).as("each index of series was made coarser twice").isGreaterThan(12);
    assertThat(shardsMax).as("the load of the growing stream is 60 threads").isGreaterThan(3);
    DataStream daily = DataStreams.of(metadata.current(), "app-daily");
    assertThat(daily.generation()).as("an index lives for an hour").isGreaterThan(14 * 20);
  }

  private static ClusterState templates(ClusterState state) {
    ObjectNode all = Json.object();
    RETENTIONS.forEach((stream, retention) -> {
      ObjectNode template = all.putObject(stream);
      template.putArray("index_patterns").add(stream);
      template.putObject("data_stream");
      template
          .putObject("template")
          .putObject("lifecycle")
          .put("data_retention", retention / HOUR + "h");
    });
    ObjectNode series = all.withObject("/app-series/template");
    ArrayNode rounds = series.withObject("/lifecycle").putArray("downsampling");
    ROUNDS.forEach((after, hours) ->
        rounds.addObject().put("after", after / HOUR + "h").put("fixed_interval", hours + "h"));
    series.putObject("settings").put("index.mode", "time_series");
    series
        .withObject("/mappings/properties/d")
        .put("type", "keyword")
        .put("time_series_dimension", true);
    return state
        .withCustom("index_templates", all)
        .withCustom("minimum_version", IntNode.valueOf(Formats.INDEX_MODES));
  }

  /// The index that the data of another came from first.
  private static String origin(String index) {
    return index.replaceAll("^downsample-\\d+h-", "");
  }

  private void checkSeries(ClusterState before, ClusterState after, String stream) {
    DataStream is = DataStreams.of(after, stream);
    for (String name : is.indices()) {
      IndexMetadata index = after.indices().get(name);
      assertThat(index.setting("index.downsample.status", "success")).isEqualTo("success");
      Written known = written.get(origin(name));
      if (known == null || name.equals(is.writeIndex())) {
        continue;
      }
      assertThat(created(index)).as("creation of %s", name).isEqualTo(known.createdMillis);
      String next = is.indices().get(is.indices().indexOf(name) + 1);
      long since = clock.millis - created(after.indices().get(next));
      int hours =
          Integer.parseInt(index.setting("index.downsample.interval", "0h").replace("h", ""));
      int due = due(since);
      int surely = due(since - POLLS_MAX * POLL);
      assertThat(hours).as("%s, followed %d ms ago", name, since).isBetween(surely, due);
      if (!DataStreams.of(before, stream).indices().contains(name)) {
        coarsened++;
      }
    }
  }

  private static int due(long sinceMillis) {
    int due = 0;
    for (Map.Entry<Long, Integer> round : ROUNDS.entrySet()) {
      due = sinceMillis >= round.getKey() ? round.getValue() : due;
    }
    return due;
  }

  /// Documents of the time between two polls.
  private void write(ClusterState state) {
    for (DataStream stream : DataStreams.all(state)) {
      Written index =
          written.computeIfAbsent(
              stream.writeIndex(), name -> new Written(created(state.indices().get(name))));
      index.threadMillis += load(stream.name()) * (clock.millis - index.lastMillis);
      index.lastMillis = clock.millis;
    }
  }

  private static long created(IndexMetadata index) {
    return Long.parseLong(index.setting("index.creation_date", "0"));
  }

  private static int shardsOf(ClusterState state, String index) {
    return state.indices().get(index).shards();
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
              assertThat(method.getName()).isEqualTo("stats");
              String name = ((ShardId) arguments[0]).index().name();
              Written index = written.get(name);
              double threads = index == null ? 0 : index.load(clock.millis);
              return stats(threads / shardsOf(metadata.current(), name));
            });
  }

  private static ShardStats stats(double threads) {
    long milli = Math.round(threads * 1_000);
    return new ShardStats(
        1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, milli, milli,
        milli);
  }

  private void check(ClusterState before, ClusterState after, String name, boolean isAlive) {
    DataStream was = DataStreams.of(before, name);
    DataStream is = DataStreams.of(after, name);
    long retention = RETENTIONS.get(name);
    if (name.equals("app-series")) {
      checkSeries(before, after, name);
    }
    List<String> left = is.indices().stream().map(FortnightTest::origin).toList();
    for (String each : was.indices()) {
      String index = origin(each);
      long sinceWritten = clock.millis - written.getOrDefault(index, new Written(0)).lastMillis;
      assertThat(left.contains(index) || sinceWritten >= retention)
          .as("%s was deleted %d ms after its last document", index, sinceWritten)
          .isTrue();
    }
    if (isAlive) {
      for (String index : is.indices()) {
        boolean isOld =
            !index.equals(is.writeIndex())
                && clock.millis
                        - LifecycleRuns.rolledOverMillis(
                            after, is, DataStream.Component.DATA, index)
                    > retention;
        assertThat(isOld).as("%s is older than its retention", index).isFalse();
      }
    }
    if (!is.writeIndex().equals(was.writeIndex())) {
      assertThat(is.generation()).isEqualTo(was.generation() + 1);
      int expected = expected(before, was);
      assertThat(shardsOf(after, is.writeIndex()))
          .as("shards of %s after %s", is.writeIndex(), was.json())
          .isEqualTo(expected);
    } else if (isAlive) {
      long age = clock.millis - created(after.indices().get(is.writeIndex()));
      long ageMax = retention > 14 * DAY ? 7 * DAY : retention > DAY ? DAY : HOUR;
      assertThat(age).as("age of %s", is.writeIndex()).isLessThan(ageMax);
    }
  }

  /// The formula anew: what the next index of a stream is to have.
  private int expected(ClusterState state, DataStream stream) {
    int now = shardsOf(state, stream.writeIndex());
    double load = rounded(written.get(stream.writeIndex()).load(clock.millis), now);
    long changed =
        stream.json().has("auto_sharding")
            ? stream.json().path("auto_sharding").path("event_time_millis").asLong()
            : stream.indices().stream()
                .mapToLong(name -> created(state.indices().get(name)))
                .min()
                .orElseThrow();
    if (optimal(load) > now) {
      return clock.millis - changed >= 270_000 ? optimal(load) : now;
    }
    double hardest = load;
    List<String> names = stream.indices();
    for (int i = 0; i < names.size() - 1; i++) {
      long end = created(state.indices().get(names.get(i + 1)));
      if (clock.millis - end <= 3 * DAY) {
        double then =
            rounded(written.get(origin(names.get(i))).load(end), shardsOf(state, names.get(i)));
        hardest = Math.max(hardest, then);
      }
    }
    return optimal(hardest) < now && clock.millis - changed >= 3 * DAY ? optimal(hardest) : now;
  }

  /// As shards tell it: thousandths of a thread each.
  private static double rounded(double load, int shards) {
    return Math.round(load / shards * 1_000) * shards / 1_000.0;
  }

  private static int optimal(double load) {
    int early = (int) Math.min(Math.ceil(load), 3);
    return Math.max(Math.max(early, (int) Math.ceil(load / 16)), 1);
  }
}
