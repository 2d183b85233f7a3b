package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
import dev.holdfast.api.indices.downsample.DownsampleConfig;
import dev.holdfast.api.indices.resolve.CopiedSource;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.real.RealWorld;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is written to an index while, or after, a coarser one is made of it does not go with it.
final class LiftedDownsamplingTest {
  private static final String WRITE_BLOCK = "index.blocks.write";

  private final World world = RealWorld.create();
  private final Kept metadata = new Kept();
  private final AtomicInteger copies = new AtomicInteger();
  private final BackgroundDownsampling work =
      new BackgroundDownsampling(world.tasks(), metadata::current, (s, t, as, _) -> copy(s, t, as));
  private final StreamDownsampling downsampling =
      new StreamDownsampling(
          metadata, work, world.clock(), new StoreClock(world, new MemoryStore()));

  /// A cluster state of one node.
  private static final class Kept implements Metadata {
    private volatile ClusterState state = ClusterState.empty("cluster");

    /// What somebody else does just before the index is replaced.
    private volatile UnaryOperator<ClusterState> meanwhile = before -> before;

    @Override
    public ClusterState current() {
      return state;
    }

    @Override
    public synchronized ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      state = change.apply(reason.startsWith("downsampled [") ? meanwhile.apply(state) : state);
      return state;
    }

    @Override
    public void listen(Listener listener) {}
  }

  @BeforeEach
  void addStream() {
    long dayAgo = world.clock().epochMillis() - Duration.ofDays(1).toMillis();
    IndexMetadata old =
        with(
            TestCluster.index("old", 1, 0),
            Map.of(
                "index.mode", "time_series",
                "index.time_series.start_time", "2020-01-01",
                "index.time_series.end_time", "2020-01-02"));
    IndexMetadata next =
        with(TestCluster.index("next", 1, 0), Map.of("index.creation_date", Long.toString(dayAgo)));
    DataStream stream =
        DataStream.empty("m", false, false)
            .withIndices(Component.DATA, List.of("old", "next"))
            .with(
                "lifecycle",
                Json.parseObject(
                    "{\"enabled\":true,"
                        + "\"downsampling\":[{\"after\":\"1h\",\"fixed_interval\":\"5m\"}]}"));
    metadata.state = DataStreams.with(metadata.state.withIndex(old).withIndex(next), stream);
  }

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  private static IndexMetadata with(IndexMetadata index, Map<String, String> more) {
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    settings.putAll(more);
    return index.withSettings(settings);
  }

  private IndexMetadata copy(IndexMetadata source, String target, DownsampleConfig as) {
    IndexMetadata made =
        with(
            TestCluster.index(target, 1, 0),
            Map.of(
                "index.downsample.interval", as.text(),
                "index.downsample.source.uuid", source.id().uuid(),
                "index.downsample.status", "success"));
    metadata.update("copy", state -> state.withIndex(CopiedSource.noted(made, source)));
    copies.incrementAndGet();
    return made;
  }

  private static ClusterState lifted(ClusterState state) {
    IndexMetadata old = Objects.requireNonNull(state.indices().get("old"));
    return state.withIndex(with(old, Map.of(WRITE_BLOCK, "false")));
  }

  private static ClusterState liftedAndBlocked(ClusterState state) {
    ClusterState lifted = lifted(state);
    IndexMetadata old = Objects.requireNonNull(lifted.indices().get("old"));
    return lifted.withIndex(with(old, Map.of(WRITE_BLOCK, "true")));
  }

  /// One look, and the copy that it began.
  private List<String> run() throws Exception {
    Map<String, String> failed = new TreeMap<>();
    downsampling.run("m", failed);
    assertThat(failed).isEmpty();
    IndexMetadata old = metadata.state.indices().get("old");
    if (old != null) {
      assertThat(
              Await.until(
                  world, Duration.ofSeconds(30), Duration.ofMillis(5), () -> !work.isRunning(old)))
          .isTrue();
    }
    return Objects.requireNonNull(DataStreams.of(metadata.state, "m")).indices();
  }

  @Test
  void anIndexThatNobodyWroteToIsReplaced() throws Exception {
    assertThat(run()).containsExactly("old", "next");
    assertThat(run()).containsExactly("downsample-5m-old", "next");
    assertThat(copies.get()).isEqualTo(1);
  }

  @Test
  void oneThatMayHaveBeenWrittenToIsCopiedAgain() throws Exception {
    run();
    metadata.state = liftedAndBlocked(metadata.state);

    assertThat(run()).containsExactly("old", "next");
    assertThat(copies.get()).isEqualTo(2);
    assertThat(run()).containsExactly("downsample-5m-old", "next");
    assertThat(copies.get()).isEqualTo(2);
  }

  @Test
  void oneThatIsMadeWritableInTheSameMomentIsLookedAtAgain() throws Exception {
    run();
    metadata.meanwhile = LiftedDownsamplingTest::lifted;
    assertThat(run()).containsExactly("old", "next");

    metadata.meanwhile = state -> state;
    assertThat(run()).containsExactly("old", "next");
    assertThat(run()).containsExactly("downsample-5m-old", "next");
    assertThat(copies.get()).isEqualTo(2);
  }
}
