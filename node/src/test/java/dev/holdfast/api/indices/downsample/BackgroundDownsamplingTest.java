package dev.holdfast.api.indices.downsample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.ThreadShortage;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.real.RealWorld;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BackgroundDownsamplingTest {
  private static final DownsampleConfig HOURS =
      DownsampleConfig.read(JsonObject.of("downsample", Json.object().put("fixed_interval", "1h")));

  private final ThreadShortage threads = new ThreadShortage(RealWorld.create().tasks());
  private final World world = threads.in(RealWorld.create());
  private volatile ClusterState state = ClusterState.empty("c");
  private final BackgroundDownsampling work =
      new BackgroundDownsampling(
          world.tasks(),
          () -> state,
          (source, _, _, _) -> {
            throw Refusal.badArgument("no room for " + source.id().name());
          });

  private static IndexMetadata index(String name) {
    return new IndexMetadata(
        new IndexId(name, "uuid-of-" + name),
        1,
        new TreeMap<>(),
        1,
        Json.object(),
        1,
        new TreeMap<>(),
        true,
        List.of(1L));
  }

  @AfterEach
  void close() {
    world.tasks().close();
  }

  private void fail(IndexMetadata index) throws InterruptedException {
    String _ = work.begin(index, "target", HOURS);
    assertThat(
            Await.until(
                world, Duration.ofSeconds(30), Duration.ofMillis(5), () -> !work.isRunning(index)))
        .isTrue();
  }

  @Test
  void whatNoThreadIsLeftForIsBegunLater() throws Exception {
    IndexMetadata there = index("there");
    state = state.withIndex(there);
    threads.begin();
    assertThatThrownBy(() -> work.begin(there, "target", HOURS))
        .isInstanceOf(OutOfMemoryError.class);
    threads.end();

    assertThat(work.isRunning(there)).isFalse();
    fail(there);
    assertThat(work.failure(there)).isNotNull();
  }

  @Test
  void whyAnAttemptFailedIsToldOnce() throws Exception {
    IndexMetadata there = index("there");
    state = state.withIndex(there);
    fail(there);

    assertThat(work.failure(there)).hasMessageContaining("no room for there");
    assertThat(work.failure(there)).isNull();
  }

  /// Nobody will ask why.
  @Test
  void failuresOfDeletedIndicesAreForgotten() throws Exception {
    IndexMetadata there = index("there");
    state = state.withIndex(there);
    fail(index("deleted"));
    assertThat(work.untold()).isZero();

    fail(there);
    assertThat(work.untold()).isEqualTo(1);
    state = ClusterState.empty("c");
    fail(index("another"));
    assertThat(work.untold()).isZero();
  }
}
