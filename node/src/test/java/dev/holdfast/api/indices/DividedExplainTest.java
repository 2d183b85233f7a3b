package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.api.search.ExplainApi;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.search.Searches;
import dev.holdfast.world.Json;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A document whose shard is divided between the question and the answer.
final class DividedExplainTest {
  private static final String OWNER = "node";
  private static final RealTimeDocument THERE = new RealTimeDocument(true, 3, 1, 1, null, null);

  /// Shards that were asked to explain.
  private final List<Integer> asked = new ArrayList<>();

  private static ClusterState ofOneShard() {
    IndexMetadata books = TestCluster.index("books", 1, 1);
    return ClusterState.empty("c")
        .withCustom("minimum_version", IntNode.valueOf(Formats.ONLINE_SPLIT))
        .withIndex(books)
        .withAssignment(
            new ShardId(books.id(), 0), new ShardAssignment(OWNER, "", new TreeMap<>()));
  }

  private static ClusterState divided(ClusterState state) {
    IndexMetadata books = Objects.requireNonNull(state.indices().get("books"));
    long term = books.primaryTerms().getFirst();
    return OnlineSplit.divided(
        OnlineSplit.begun(state, books.id(), 2),
        new ShardId(books.id(), 0),
        1,
        OWNER,
        new IndexSplit.Part(0, term + 1, term, 7));
  }

  /// The state from before until a shard is asked.
  private Metadata metadata() {
    ClusterState before = ofOneShard();
    ClusterState after = divided(before);
    return (Metadata)
        Proxy.newProxyInstance(
            Metadata.class.getClassLoader(),
            new Class<?>[] {Metadata.class},
            (_, _, _) -> asked.isEmpty() ? before : after);
  }

  /// The document is in the second shard.
  private Searches searches() {
    return (Searches)
        Proxy.newProxyInstance(
            Searches.class.getClassLoader(),
            new Class<?>[] {Searches.class},
            (_, method, arguments) -> {
              int number = ((ShardId) arguments[0]).number();
              if (method.getName().equals("get")) {
                return number == 1 ? THERE : RealTimeDocument.missing();
              }
              asked.add(number);
              return Json.object().put("found", number == 1).put("matched", true);
            });
  }

  @Test
  void isExplainedByTheShardThatHasItNow() throws Exception {
    ApiRequest request =
        new ApiRequest(
            Verb.POST,
            "/books/_explain/2",
            Map.of("index", "books", "id", "2"),
            Map.of(),
            HeaderValues.NONE,
            RequestBody.of("{\"query\":{\"match_all\":{}}}".getBytes(StandardCharsets.UTF_8)),
            null,
            () -> false);

    assertThat(new ExplainApi(metadata(), searches()).handle(request).status()).isEqualTo(200);

    assertThat(asked).containsExactly(0, 1);
  }
}
