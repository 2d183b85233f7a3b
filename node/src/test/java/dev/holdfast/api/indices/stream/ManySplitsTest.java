package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.call.ShardFigure;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.engine.SegmentCounts;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Which of many indices are split, by the figures of their shards.
final class ManySplitsTest {
  private static final String SELF = "node";
  private static final String TEMPLATES =
      """
      {"free":{"index_patterns":["free"],"data_stream":{}},
       "said":{"index_patterns":["said"],"data_stream":{},"template":{
         "settings":{"index":{"number_of_shards":1}}}}}\
      """;

  /// The state of a leader, in which no shard is ever added.
  private static final class Alone implements Metadata {
    private ClusterState state;

    Alone(ClusterState state) {
      this.state = state;
    }

    @Override
    public ClusterState current() {
      return state;
    }

    @Override
    public String leaderId() {
      return SELF;
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

    /// The indices that are being split.
    List<String> splits() {
      return state.indices().values().stream()
          .filter(index -> index.split() != null)
          .map(index -> index.id().name())
          .toList();
    }
  }

  private static final class Hand implements Clock {
    long millis;

    @Override
    public long nanoTime() {
      return millis * 1_000_000;
    }

    @Override
    public long epochMillis() {
      return millis;
    }
  }

  private static ClusterState enabled(String sizeMax) {
    return ClusterState.empty("cluster")
        .withCustom("minimum_version", IntNode.valueOf(Formats.ONLINE_SPLIT))
        .withSettings(
            new TreeMap<>(Map.of(SplitRuns.ENABLED, "true", SplitRuns.SIZE_MAX, sizeMax)));
  }

  private static Alone indices(int number, String sizeMax) {
    ClusterState state = enabled(sizeMax);
    for (int i = 0; i < number; i++) {
      state = state.withIndex(TestCluster.index("large-" + i, 1, 1));
    }
    return new Alone(state);
  }

  /// Of shards that have a megabyte each, and keep twenty threads busy.
  private static SplitRuns runs(Alone state, Clock clock) {
    ShardStats each =
        ShardStats.ofClosed(new SegmentCounts(10, 0, 1), 1 << 20, 9)
            .with(ShardFigure.RECENT_MILLI_LOAD, 20_000);
    IndexingShards shards =
        (IndexingShards)
            Proxy.newProxyInstance(
                IndexingShards.class.getClassLoader(),
                new Class<?>[] {IndexingShards.class},
                (_, _, _) -> each);
    return new SplitRuns(state, shards, clock, SELF);
  }

  @Test
  void someIndicesAreSplitAtATime() throws Exception {
    Alone state = indices(20, "1kb");
    SplitRuns runs = runs(state, new Hand());
    runs.look();
    assertThat(state.splits()).hasSize(8);
    // and: no others while these go on
    runs.look();
    assertThat(state.splits()).hasSize(8);
  }

  @Test
  void noSizeIsTooLargeWhereThereIsNoBound() throws Exception {
    Alone state = indices(2, "0");
    runs(state, new Hand()).look();
    assertThat(state.splits()).isEmpty();
  }

  @Test
  void aTemplateThatSaysHowManyShardsThereAreIsHeeded() throws Exception {
    // given
    Hand clock = new Hand();
    World real = RealWorld.create();
    World world = new World(clock, real.sleeper(), real.ids(), real.chance(), real.tasks());
    Alone state =
        new Alone(enabled("0").withCustom("index_templates", Json.parseObject(TEMPLATES)));
    IndexCreation creation = new IndexCreation(world, state, new StandardMappings());
    String free = creation.streams().create("free").writeIndex();
    var _ = creation.streams().create("said");
    SplitRuns runs = runs(state, clock);
    // when: for longer than a minute
    runs.look();
    clock.millis += Duration.ofSeconds(61).toMillis();
    runs.look();
    // then
    assertThat(state.splits()).containsExactly(free);
  }
}
