package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.node.FixedState;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.real.RealWorld;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Splits that are asked for, and what the state says to it.
final class ReshardRequestsTest {
  private static ClusterState state(IndexMetadata... indices) {
    ClusterState state =
        ClusterState.empty("c")
            .withCustom("minimum_version", IntNode.valueOf(Formats.ONLINE_SPLIT));
    for (IndexMetadata index : indices) {
      state = state.withIndex(index);
    }
    return state;
  }

  /// A split that never gets on.
  private static FixedState stuck() {
    IndexMetadata books = TestCluster.index("books", 1, 1);
    return new FixedState(OnlineSplit.begun(state(books), books.id(), 2));
  }

  @Test
  void shardsThatAreToComeCount() {
    // given: room for nine of ten
    IndexMetadata[] indices = new IndexMetadata[10];
    Arrays.setAll(indices, i -> TestCluster.index("index-" + i, 1, 1));
    ClusterState state = state(indices);
    for (int i = 0; i < 9; i++) {
      state = ReshardApi.begun(state, indices[i].id(), 1024);
    }
    ClusterState full = state;
    // when, then
    assertThatThrownBy(() -> ReshardApi.begun(full, indices[9].id(), 1024))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("would add [1023] shards")
        .hasMessageContaining("currently has [9217]/[10000]");
    // and: one that has begun is not counted again
    assertThat(ReshardApi.begun(full, indices[0].id(), 1024)).isSameAs(full);
  }

  @Test
  @Timeout(60)
  void nobodyIsWaitedForWhoHasLeft() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    ApiRequest request =
        new ApiRequest(
            Verb.POST,
            "/books/_reshard",
            Map.of("index", "books"),
            Map.of("wait_for_completion", "true", "timeout", "1h"),
            HeaderValues.NONE,
            RequestBody.of("{\"number_of_shards\":2}".getBytes(StandardCharsets.UTF_8)),
            null,
            () -> asked.incrementAndGet() > 1);

    assertThat(new ReshardApi(RealWorld.create(), stuck()).begin().handle(request).status())
        .isEqualTo(200);

    assertThat(asked).hasValue(2);
  }

  private static ApiRequest deletion() {
    return new ApiRequest(
        Verb.DELETE,
        "/books/_reshard",
        Map.of("index", "books"),
        Map.of(),
        HeaderValues.NONE,
        RequestBody.of(new byte[0]),
        null,
        () -> false);
  }

  @Test
  void aSplitThatGetsNowhereIsGivenUp() throws Exception {
    AtomicReference<ClusterState> now = new AtomicReference<>(stuck().current());
    ReshardApi api = new ReshardApi(RealWorld.create(), changing(now));

    assertThat(api.giveUp().handle(deletion()).status()).isEqualTo(200);

    assertThat(now.get().indices().get("books")).isEqualTo(TestCluster.index("books", 1, 1));
    assertThatThrownBy(() -> api.giveUp().handle(deletion()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("index [books] is not being split");
  }

  private static Metadata changing(AtomicReference<ClusterState> now) {
    return new Metadata() {
      @Override
      public ClusterState current() {
        return now.get();
      }

      @Override
      public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
        return now.updateAndGet(change);
      }

      @Override
      public void listen(Listener listener) {
        listener.changed(now.get(), now.get());
      }
    };
  }
}
