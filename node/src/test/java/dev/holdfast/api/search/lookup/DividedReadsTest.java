package dev.holdfast.api.search.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.search.ExplainApi;
import dev.holdfast.api.search.TermsEnumApi;
import dev.holdfast.api.search.caps.FieldCapsApi;
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
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.search.Searches;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests that ask a shard which is divided between the question and the answer: what they look
/// for is in the new one then.
final class DividedReadsTest {
  private static final String OWNER = "node";
  private static final RealTimeDocument THERE = new RealTimeDocument(true, 3, 1, 1, null, null);

  /// Shards that were asked about their documents.
  private final List<Integer> asked = new ArrayList<>();

  private final World world = RealWorld.create();

  private static ClusterState ofOneShard() {
    ObjectNode mapping = Json.parseObject("{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");
    IndexMetadata books = TestCluster.index("books", 1, 1).withMapping(mapping);
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
              boolean isThere = number == 1;
              ObjectNode answer = Json.object().put("found", isThere).put("matched", true);
              answer.put("matches", isThere);
              answer.putArray("present").addAll(titles(isThere, "title"));
              answer.putArray("terms").addAll(titles(isThere, "dune"));
              return answer;
            });
  }

  private static ArrayNode titles(boolean isThere, String title) {
    ArrayNode titles = Json.object().putArray("all");
    return isThere ? titles.add(title) : titles;
  }

  private static ApiRequest request(String path, Map<String, String> parameters, String body) {
    return new ApiRequest(
        Verb.POST,
        path,
        Map.of("index", "books", "id", "2"),
        parameters,
        HeaderValues.NONE,
        RequestBody.of(body.getBytes(StandardCharsets.UTF_8)),
        null,
        () -> false);
  }

  private static String text(Answer answer) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = Json.MAPPER.createGenerator(text)) {
      ((Answer.Content.Structured) answer.content()).writer().write(out);
    }
    return text.toString();
  }

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  @Test
  void aDocumentIsExplainedByTheShardThatHasItNow() throws Exception {
    ApiRequest request = request("/books/_explain/2", Map.of(), "{\"query\":{\"match_all\":{}}}");

    assertThat(new ExplainApi(metadata(), searches()).handle(request).status()).isEqualTo(200);

    assertThat(asked).containsExactly(0, 1);
  }

  @Test
  void fieldsAndWhatAFilterMatchesAreFoundInTheNewShard() throws Exception {
    FieldCapsApi api = new FieldCapsApi(world, metadata(), searches(), new StandardMappings());

    Answer answer =
        api.handle(
            request(
                "/books/_field_caps",
                Map.of("fields", "*", "include_empty_fields", "false"),
                "{\"index_filter\":{\"match_all\":{}}}"));

    assertThat(text(answer)).contains("\"title\"");
    assertThat(asked).containsExactly(0, 1, 0, 1);
  }

  @Test
  void termsAreFoundInTheNewShard() throws Exception {
    Answer answer =
        new TermsEnumApi(metadata(), searches(), world.clock())
            .handle(
                request(
                    "/books/_terms_enum",
                    Map.of(),
                    "{\"field\":\"title\",\"index_filter\":{\"match_all\":{}}}"));

    assertThat(text(answer)).contains("dune");
    assertThat(asked).containsExactly(0, 1, 1);
  }

  @Test
  void aPointInTimeKeepsWhatMayHaveGivenAMatchAway() throws Exception {
    ShardTarget zero = ShardTarget.of(new ShardId(TestCluster.index("books", 1, 1).id(), 0));

    assertThat(new ShardFilter(world, metadata(), searches(), Json.object()).targets(List.of(zero)))
        .containsExactly(zero);
  }
}
