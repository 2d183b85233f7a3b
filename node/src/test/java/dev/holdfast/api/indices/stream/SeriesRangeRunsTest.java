package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The times that the indices of a stream of time series hold, while time goes on.
final class SeriesRangeRunsTest {
  private static final String TEMPLATE =
      """
      {"m":{"index_patterns":["m"],"data_stream":{},"template":{
        "settings":{"index":{"mode":"time_series"}},
        "mappings":{"properties":{"d":{"type":"keyword","time_series_dimension":true}}}}}}\
      """;

  private static final class Hand implements Clock {
    long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    @Override
    public long nanoTime() {
      return millis * 1_000_000;
    }

    @Override
    public long epochMillis() {
      return millis;
    }
  }

  private static final class Alone implements Metadata {
    private ClusterState state =
        ClusterState.empty("cluster")
            .withCustom("minimum_version", IntNode.valueOf(Formats.INDEX_MODES))
            .withCustom("index_templates", Json.parseObject(TEMPLATE));

    @Override
    public ClusterState current() {
      return state;
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      state = change.apply(state);
      return state;
    }

    @Override
    public void listen(Listener listener) {
      listener.changed(state, state);
    }
  }

  private static TimeSeries held(ClusterState state, String index) {
    return TimeSeries.of(Objects.requireNonNull(state.indices().get(index)).settings());
  }

  /// The next index would begin where it ends, a year from now.
  @Test
  void noEndIsSetByAClockThatTheStoreContradicts(@TempDir Path folder) throws Exception {
    Hand clock = new Hand();
    clock.millis = Instant.parse("2020-01-01T00:00:00Z").toEpochMilli();
    World real = RealWorld.create();
    World world = new World(clock, real.sleeper(), real.ids(), real.chance(), real.tasks());
    Alone metadata = new Alone();
    DataStream stream =
        new IndexCreation(world, metadata, new StandardMappings()).streams().create("m");
    TimeSeries first = held(metadata.current(), stream.writeIndex());
    clock.millis += Duration.ofDays(365).toMillis();
    try (ObjectStore store = Stores.open(folder.toString(), new TreeMap<>(), real)) {
      new SeriesRangeRuns(metadata, clock, "", new StoreClock(world, store)).run();
    }

    assertThat(held(metadata.current(), stream.writeIndex())).isEqualTo(first);
  }

  @Test
  void oneIndexAlwaysHoldsWhatIsMeasuredNowAndNoTimeBelongsToTwo() throws Exception {
    Hand clock = new Hand();
    World real = RealWorld.create();
    World world = new World(clock, real.sleeper(), real.ids(), real.chance(), real.tasks());
    Alone metadata = new Alone();
    IndexCreation creation = new IndexCreation(world, metadata, new StandardMappings());
    DataStream stream = creation.streams().create("m");
    SeriesRangeRuns runs =
        new SeriesRangeRuns(metadata, clock, "", new StoreClock(world, new MemoryStore()));
    TimeSeries first = held(metadata.current(), stream.writeIndex());
    assertThat(first.startMillis()).isEqualTo(clock.millis - Duration.ofHours(2).toMillis());
    assertThat(first.endMillis()).isEqualTo(clock.millis + Duration.ofMinutes(30).toMillis());

    for (int minute = 0; minute < 24 * 60; minute++) {
      clock.millis += 60_000;
      if (minute % 5 == 0) {
        runs.run();
      }
      if (minute % 97 == 0) {
        stream = Objects.requireNonNull(DataStreams.of(metadata.current(), "m"));
        var _ = creation.streams().rollOver(stream, Component.DATA, null);
        stream = Objects.requireNonNull(DataStreams.of(metadata.current(), "m"));
        var _ = creation.streams().rollOver(stream, Component.DATA, null);
      }
      stream = Objects.requireNonNull(DataStreams.of(metadata.current(), "m"));
      List<String> names = stream.indices();
      for (long millis : List.of(clock.millis, clock.millis + Duration.ofMinutes(25).toMillis())) {
        ClusterState state = metadata.current();
        assertThat(names.stream().filter(name -> held(state, name).holds(millis)))
            .as("indices that hold %s at %s", millis, clock.millis)
            .hasSize(1);
      }
      for (int i = 1; i < names.size(); i++) {
        assertThat(held(metadata.current(), names.get(i)).startMillis())
            .isEqualTo(held(metadata.current(), names.get(i - 1)).endMillis());
      }
    }
  }
}
