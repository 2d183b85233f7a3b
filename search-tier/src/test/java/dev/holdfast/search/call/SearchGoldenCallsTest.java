package dev.holdfast.search.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.compoundcommit.call.WireValues.Done;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ExplainedScore;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.InnerHits;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.suggest.Suggester;
import dev.holdfast.search.SearchCalls;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.FetchRequest;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Golden;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/// What this build and those before it say to search nodes.
final class SearchGoldenCallsTest {
  private static final ShardId SHARD = new ShardId(new IndexId("books", "uuid"), 3);
  private static final byte[] SOURCE = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);

  private static <Q, A> void check(Call<Q, A> call, Q question, A answer) throws Exception {
    check(call.name(), "question", call.question(), question);
    check(call.name(), "answer", call.answer(), answer);
  }

  private static <T> void check(String call, String part, Codec<T> codec, T value)
      throws Exception {
    String name = "calls/" + call + "/v1/" + part;
    byte[] written = WireValues.bytes(codec, value);
    for (byte[] bytes : Golden.of(name, written)) {
      assertThat(WireValues.value(codec, bytes)).as(name).isNotNull();
    }
    assertThat(WireValues.bytes(codec, WireValues.value(codec, written)))
        .as(name)
        .isEqualTo(written);
  }

  private static Hit hit() {
    return new Hit(
        "books",
        "1",
        Json.parse("{\"field\":\"f\"}"),
        0.5f,
        SOURCE,
        null,
        List.of("f"),
        1,
        2,
        3,
        Map.of("n", List.of(1L, Json.parse("{\"x\":1}"))),
        Map.of("m", List.of("malformed")),
        Arrays.asList("s", null),
        Map.of("t", List.of("<em>a</em>")),
        Map.of("q", 0.5f),
        new ExplainedScore(2, "node", Json.parse("{\"value\":1}")),
        Map.of("inner", new InnerHits(1, true, 0.5f, List.of())),
        5L);
  }

  @Test
  void smallQuestionsHaveTheirGoldenBytes() throws Exception {
    check(
        SearchCalls.FIND,
        new SearchCalls.ById(SHARD, "id"),
        new RealTimeDocument(true, 5, 2, 9, "r", SOURCE));
    check(SearchCalls.DOCUMENTS, SHARD, 300L);
    check(
        SearchCalls.ASK,
        new SearchCalls.Question(NodeQuestion.COUNT, Json.object().put("a", 1)),
        Json.object().put("b", 2));
    check(SearchCalls.RELEASE, "search", Done.DONE);
  }

  @Test
  void searchesHaveTheirGoldenBytes() throws Exception {
    // given
    SearchSource source =
        SearchParser.parse(
            Json.parseObject("{\"query\":{\"term\":{\"k\":\"a\"}},\"size\":3,\"sort\":[\"n\"]}"));
    ShardTarget target =
        new ShardTarget(
            SHARD,
            new ContextId("node", 7, ShardContexts.Kind.SCROLL),
            Json.parse("{\"term\":{\"k\":\"v\"}}"),
            new ShardTarget.Slice(1, 2, null));
    List<QueryRequest.OfShard> asked = List.of(new QueryRequest.OfShard(target, 2, List.of(4)));
    ShardHit found =
        new ShardHit(
            7,
            1.5f,
            Arrays.asList(1L, 2, 0.5f, 0.25, true, "t", new BytesRef("b"), null, BigInteger.TEN));
    ShardResult result =
        new ShardResult(
            List.of(found),
            300,
            false,
            1.5f,
            Results.NONE,
            true,
            false,
            Map.of(
                "s",
                List.of(
                    new Suggester.Entry(
                        "txt",
                        0,
                        3,
                        List.of(new Suggester.Option("text", 0.5, 2, null, true, null))))),
            Json.object().put("took", 1));
    Refusal refusal = new Refusal(ErrorType.QUERY_SHARD, "no").with("shard", 1);
    QueryAnswer answer =
        new QueryAnswer(
            List.of(new QueryAnswer.OfShard(result, null), new QueryAnswer.OfShard(null, refusal)),
            List.of(hit()));
    // then
    check(
        "search/query",
        "question",
        SearchCodecs.QUERY,
        new QueryRequest("id", asked, 3, source, 5, 6, false, true));
    check(
        "search/query",
        "answer",
        SearchCodecs.answer(SearchParser.counting(null, 0, null), new StandardMappings()),
        answer);
    check(
        "search/fetch",
        "question",
        SearchCodecs.FETCH,
        new FetchRequest("id", List.of(new FetchRequest.OfShard(1, List.of(found)))));
    check("search/fetch", "answer", SearchCodecs.HITS, List.of(hit()));
  }
}
