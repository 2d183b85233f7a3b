package dev.holdfast.search.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.call.WireValues;
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
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

final class SearchCodecsTest {
  private static final ShardId SHARD = new ShardId(new IndexId("books", "u"), 3);
  private static final QueryRequest.OfShard ASKED =
      new QueryRequest.OfShard(
          new ShardTarget(
              SHARD,
              new ContextId("node", 7, ShardContexts.Kind.SCROLL),
              Json.parse("{\"term\":{\"k\":\"v\"}}"),
              new ShardTarget.Slice(1, 2, null)),
          2);

  @Test
  void everyKindOfValueComesBack() throws Exception {
    // given
    ShardHit hit =
        new ShardHit(
            7,
            1.5f,
            Arrays.asList(1L, 2, 0.5f, 0.25, true, "t", new BytesRef("b"), null, BigInteger.TEN));
    // when
    byte[] bytes = WireValues.bytes(ShardResultCodec.HIT, hit);
    // then: the format is for nodes of other builds too
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "070000c03f"
                + "09"
                + "0102"
                + "0204"
                + "030000003f"
                + "04000000000000d03f"
                + "0501"
                + "060174"
                + "070262"
                + "00"
                + "08023130"
                + "00");
    assertThat(WireValues.value(ShardResultCodec.HIT, bytes)).isEqualTo(hit);
  }

  @Test
  void aSearchKeepsItsMeaningOnAnotherNode() throws Exception {
    // given
    SearchSource source =
        SearchParser.parse(
            Json.parseObject(
                """
                {"query":{"term":{"k":"a"}},"size":3,"sort":["n"],"min_score":0.5,
                 "indices_boost":[{"boo*":2.0}],"aggs":{"s":{"sum":{"field":"n"}}}}\
                """));
    TreeMap<String, Float> boosts = new TreeMap<>(Map.of("books", 2f));
    QueryRequest request =
        new QueryRequest("id", List.of(ASKED), 3, source.boosted(boosts), 5, 6, false, true);
    // when
    QueryRequest there =
        WireValues.value(SearchCodecs.QUERY, WireValues.bytes(SearchCodecs.QUERY, request));
    // then
    assertThat(there.source().query()).isEqualTo(request.source().query());
    assertThat(there.source().sorts()).isEqualTo(source.sorts());
    assertThat(there.source().size()).isEqualTo(3);
    assertThat(there.source().minScore()).isEqualTo(0.5f);
    assertThat(there.shards()).containsExactly(ASKED);
    assertThat(there.shardsAsked()).isEqualTo(3);
    assertThat(there.nowMillis()).isEqualTo(5);
    assertThat(there.isCached()).isFalse();
    assertThat(there.isWhole()).isTrue();
  }

  @Test
  void aCountKeepsItsMeaningOnAnotherNode() throws Exception {
    SearchSource source = SearchParser.counting(Json.parse("{\"match_all\":{}}"), 4, 0.5f);
    QueryRequest request = new QueryRequest("", List.of(ASKED), 1, source, 0, 0, null, true);

    SearchSource there =
        WireValues.value(SearchCodecs.QUERY, WireValues.bytes(SearchCodecs.QUERY, request))
            .source();

    assertThat(there.totalHitsUpTo()).isEqualTo(Integer.MAX_VALUE);
    assertThat(there.terminateAfter()).isEqualTo(4);
    assertThat(there.minScore()).isEqualTo(0.5f);
    assertThat(there.size()).isZero();
  }

  @Test
  void answersAndFailuresComeBack() throws Exception {
    // given
    SearchSource source = SearchParser.counting(null, 0, null);
    ShardResult result =
        new ShardResult(
            List.of(new ShardHit(1, Float.NaN, List.of())),
            -1,
            false,
            Float.NaN,
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
    Refusal refusal =
        Refusal.around(
                ErrorType.SEARCH_PHASE_EXECUTION,
                "failed",
                new Refusal(ErrorType.QUERY_SHARD, "no", new IllegalArgumentException("why")))
            .with("phase", "query")
            .with("shards", List.of(1, 2));
    Hit hit =
        new Hit(
            "books",
            "1",
            Json.parse("{\"field\":\"f\"}"),
            0.5f,
            "{}".getBytes(StandardCharsets.UTF_8),
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
    QueryAnswer answer =
        new QueryAnswer(
            List.of(new QueryAnswer.OfShard(result, null), new QueryAnswer.OfShard(null, refusal)),
            List.of(hit));
    var codec = SearchCodecs.answer(source, new StandardMappings());
    // when
    QueryAnswer there = WireValues.value(codec, WireValues.bytes(codec, answer));
    // then
    assertThat(there.shards().getFirst()).isEqualTo(answer.shards().getFirst());
    assertThat(there.hits().getFirst())
        .usingRecursiveComparison()
        .isEqualTo(answer.hits().getFirst());
    assertThat(there.shards().getLast().failure())
        .isNotNull()
        .satisfies(failure -> {
          assertThat(failure.isWrapper()).isTrue();
          assertThat(failure.reason()).isEqualTo("failed");
          assertThat(failure.metadata()).isEqualTo(refusal.metadata());
          assertThat(failure.getCause()).hasMessage("no");
          assertThat(failure.getCause().getCause()).hasMessage("why");
        });
  }
}
