package dev.holdfast.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.fetch.FetchPhase;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.QueryPhase;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.io.EOFException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that would hold more memory than they may are refused before they hold it; with enough
/// they are answered.
final class MemoryLimitsTest {
  private static final int DOCUMENTS = 2_000;
  private static final long LITTLE = 64 << 10;
  private static final long MUCH = 1L << 30;

  @AutoClose private static SearchTestIndex index;

  @BeforeAll
  static void write() throws Exception {
    index = new SearchTestIndex("{\"k\":{\"type\":\"keyword\"},\"n\":{\"type\":\"double\"}}");
    String[] documents = new String[2 * DOCUMENTS];
    for (int i = 0; i < DOCUMENTS; i++) {
      documents[2 * i] = "d" + i;
      documents[2 * i + 1] = "{\"k\":\"key number %d\",\"n\":%d.5}".formatted(i, i);
    }
    index.add(documents);
  }

  private static String aggregation(String body) {
    return "{\"size\":0,\"aggs\":{\"a\":" + body + "}}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"terms\":{\"field\":\"k\",\"size\":30000}}",
        "{\"terms\":{\"field\":\"n\",\"size\":30000}}",
        "{\"histogram\":{\"field\":\"n\",\"interval\":0.5}}",
        "{\"sampler\":{\"shard_size\":2147483647},\"aggs\":{\"b\":{\"max\":{\"field\":\"n\"}}}}",
        "{\"composite\":{\"size\":2000,\"sources\":[{\"k\":{\"terms\":{\"field\":\"k\"}}}]}}",
        "{\"terms\":{\"field\":\"k\",\"size\":9},\"aggs\":{\"b\":{\"stats\":{\"field\":\"n\"}}}}",
        "{\"terms\":{\"field\":\"k\",\"size\":9},\"aggs\":{\"b\":{\"percentiles\":{\"field\":\"n\"}}}}",
        "{\"terms\":{\"field\":\"k\",\"size\":9},\"aggs\":{\"b\":{\"cardinality\":{\"field\":\"n\"}}}}",
        "{\"terms\":{\"field\":\"k\",\"size\":9},\"aggs\":{\"b\":{\"top_hits\":{\"size\":3}}}}",
        "{\"percentiles\":{\"field\":\"n\",\"hdr\":{\"number_of_significant_value_digits\":5}}}"
      })
  void anAggregationOfTooManyBucketsIsRefused(String body) throws Exception {
    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> index.run(aggregation(body), LITTLE));

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.reason()).startsWith("[request] Data too large");
    assertThat(index.run(aggregation(body), MUCH).aggregations().entries()).isNotEmpty();
  }

  /// Each reads its field a block of documents at a time: thousands of them had filled a heap.
  @Test
  void manyAggregationsAreRefused() throws Exception {
    String many =
        IntStream.range(0, 200)
            .mapToObj("\"a%d\":{\"max\":{\"field\":\"n\"}}"::formatted)
            .collect(Collectors.joining(",", "{\"size\":0,\"aggs\":{", "}}"));

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> index.run(many, 1 << 20));

    assertThat(refusal.status()).isEqualTo(429);
    assertThat(index.run(many, MUCH).aggregations().entries()).hasSize(200);
  }

  /// Each holds the counts of a segment's terms and what it hands on, however few documents match.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"terms\":{\"field\":\"k\"}}",
        "{\"rare_terms\":{\"field\":\"k\"}}",
        "{\"histogram\":{\"field\":\"n\",\"interval\":1000}}"
      })
  void whatManyAggregationsHoldOfASegmentIsRefused(String one) throws Exception {
    int bytesAtLeast = 28 << 10;
    String many =
        IntStream.range(0, 200)
            .mapToObj(i -> "\"a" + i + "\":" + one)
            .collect(
                Collectors.joining(
                    ",",
                    "{\"size\":0,\"query\":{\"term\":{\"k\":\"key number 7\"}},\"aggs\":{",
                    "}}"));

    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> index.run(many, 200L * bytesAtLeast));

    assertThat(refusal).isNotNull();
    assertThat(refusal.status()).isEqualTo(429);
    assertThat(index.run(many, MUCH).aggregations().entries()).hasSize(200);
  }

  private static String matrix(int fields) {
    return aggregation(
        "{\"matrix_stats\":{\"fields\":[" + "\"n\",".repeat(fields - 1) + "\"n\"]}}");
  }

  @Test
  void theSquareOfTheFieldsOfAMatrixIsRefused() throws Exception {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> index.run(matrix(150), LITTLE));

    assertThat(refusal.status()).isEqualTo(429);
    assertThat(index.run(matrix(150), MUCH).aggregations().entries()).isNotEmpty();
  }

  @Test
  void aMatrixOfMoreFieldsThanAnArrayHasPlacesIsRefused() {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> index.run(matrix(46_341), MUCH));

    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.reason())
        .isEqualTo(
            "[fields] of aggregation [a] has [46341] fields, at most [46340] can be correlated with"
                + " each other");
  }

  @Test
  void mergingMatricesIsRefused() throws Exception {
    SearchSource source = SearchParser.parse(Json.parseObject(matrix(150)));
    ShardResult result =
        QueryPhase.run(source, index.context().reserving(Reservation.of(MUCH)), () -> false);

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () -> SearchMerge.of(source, List.of(result, result), 10, Reservation.of(LITTLE)));

    assertThat(refusal.status()).isEqualTo(429);
    assertThat(SearchMerge.of(source, List.of(result, result), 10, Reservation.of(MUCH)).hits())
        .isEmpty();
  }

  @Test
  void aMatrixThatIsNotInTheMessageIsNotAllocated() {
    WireOutput out = new WireOutput();
    assertThatThrownBy(
            () -> {
              out.writeVInt(0);
              out.writeVInt(40_000);
              out.writeVLong(1);
              out.writeBytes(new byte[50_000], 50_000);
              SearchParser.parse(Json.parseObject(matrix(2)))
                  .aggregations()
                  .read(new PartialInput(new WireInput(out.toArray()), new StandardMappings()));
            })
        .isInstanceOf(EOFException.class);
  }

  @Test
  void hitsAskForMemoryWhenTheyAreRead() throws Exception {
    SearchSource source = SearchParser.parse(Json.parseObject("{\"size\":1000}"));
    ShardResult found = QueryPhase.run(source, index.context(), () -> false);

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                WorkMemory.during(
                    Reservation.of(LITTLE),
                    () -> FetchPhase.run(source, index.context(), found.hits())));

    assertThat(refusal.status()).isEqualTo(429);
    assertThat(
            WorkMemory.<List<Hit>, IOException>during(
                Reservation.of(MUCH), () -> FetchPhase.run(source, index.context(), found.hits())))
        .hasSize(1000);
  }

  @Test
  void namesOfMatchedQueriesAreRefused() throws Exception {
    String named =
        IntStream.range(0, 200)
            .mapToObj(i -> "{\"match_all\":{\"_name\":\"n" + i + "\"}}")
            .collect(Collectors.joining(","));
    String body = "{\"size\":1000,\"query\":{\"bool\":{\"should\":[" + named + "]}}}";
    SearchSource source = SearchParser.parse(Json.parseObject(body));
    ShardResult found = QueryPhase.run(source, index.context(), () -> false);

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                WorkMemory.during(
                    Reservation.of(2 << 20),
                    () -> FetchPhase.run(source, index.context(), found.hits())));

    assertThat(refusal).isNotNull();
    assertThat(refusal.status()).isEqualTo(429);
  }

  /// Ten thousand hits by three thousand keys would be a gigabyte.
  @ParameterizedTest
  @ValueSource(strings = {"", ",\"collapse\":{\"field\":\"k\"}"})
  void hitsThatAreSortedByManyKeysAreRefused(String more) throws Exception {
    String sorts = String.join(",", Collections.nCopies(100, "\"n\""));
    String body = "{\"size\":%d,\"sort\":[" + sorts + "]" + more + "}";

    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> index.run(body.formatted(1_000), LITTLE));

    assertThat(refusal).isNotNull();
    assertThat(refusal.status()).isEqualTo(429);
    assertThat(index.run(body.formatted(1_000), MUCH).hits()).hasSize(1_000);
    assertThat(index.run(body.formatted(5), LITTLE).hits()).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"match\":{\"t\":{\"query\":\"TEXT\"}}}",
        "{\"match_phrase\":{\"t\":{\"query\":\"TEXT\"}}}",
        "{\"multi_match\":{\"fields\":[\"t\",\"t2\"],\"type\":\"cross_fields\",\"query\":\"TEXT\"}}",
        "{\"combined_fields\":{\"fields\":[\"t\",\"t2\"],\"query\":\"TEXT\"}}",
        "{\"simple_query_string\":{\"fields\":[\"t\"],\"query\":\"\\\"TEXT\\\"\"}}",
        "{\"query_string\":{\"fields\":[\"t\"],\"query\":\"\\\"TEXT\\\"\"}}",
        "{\"more_like_this\":{\"fields\":[\"t\"],\"like\":\"TEXT\",\"min_term_freq\":1}}"
      })
  void theWordsOfALongTextAreRefused(String query) throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      text.append("w").append(i).append(' ');
    }
    String body = "{\"query\":" + query.replace("TEXT", text) + "}";

    try (SearchTestIndex texts =
        new SearchTestIndex("{\"t\":{\"type\":\"text\"},\"t2\":{\"type\":\"text\"}}")) {
      texts.add("1", "{\"t\":\"w1\",\"t2\":\"w2\"}");
      Refusal refusal =
          catchThrowableOfType(
              Refusal.class,
              () -> WorkMemory.during(Reservation.of(LITTLE), () -> texts.run(body)));

      assertThat(refusal).as(query).isNotNull();
      assertThat(refusal.status()).isEqualTo(429);
      assertThat(
              WorkMemory.<ShardResult, IOException>during(
                      Reservation.of(MUCH), () -> texts.run(body))
                  .total())
          .isBetween(0L, 1L);
    }
  }

  @Test
  void manySuggestedWordsAreRefused() throws Exception {
    String one =
        "{\"text\":\"key number 11\",\"term\":{\"field\":\"k\",\"size\":10000,"
            + "\"max_inspections\":10000,\"suggest_mode\":\"always\",\"prefix_length\":0}}";
    String twenty =
        IntStream.range(0, 20)
            .mapToObj(i -> "\"s" + i + "\":" + one)
            .collect(Collectors.joining(","));
    String body = "{\"size\":0,\"suggest\":{" + twenty + "}}";

    refusedForLittle(index, body);

    SearchSource source = SearchParser.parse(Json.parseObject(body));
    ShardResult result = index.run(body);
    Refusal merged =
        catchThrowableOfType(
            Refusal.class,
            () -> SearchMerge.of(source, List.of(result), 10, Reservation.of(LITTLE)));
    assertThat(merged).isNotNull();
  }

  /// As many as are asked for are held, not all that are tried.
  @Test
  void manyGuessesAreRefused() throws Exception {
    String[] documents = new String[200];
    for (int i = 0; i < 100; i++) {
      documents[2 * i] = "d" + i;
      documents[2 * i + 1] = "{\"t\":\"w" + i + "\"}";
    }
    String text = IntStream.range(10, 20).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
    String body =
        "{\"size\":0,\"suggest\":{\"s\":{\"text\":\""
            + text
            + "\",\"phrase\":{\"field\":\"t\",\"size\":%d,\"confidence\":0,\"max_errors\":10,"
            + "\"token_limit\":20,\"direct_generator\":[{\"field\":\"t\",\"size\":20,"
            + "\"suggest_mode\":\"always\",\"min_word_length\":1,\"prefix_length\":0}]}}}}";

    try (SearchTestIndex texts = new SearchTestIndex("{\"t\":{\"type\":\"text\"}}")) {
      texts.add(documents);
      refusedForLittle(texts, body.formatted(100_000));
      ShardResult few =
          WorkMemory.<ShardResult, IOException>during(
              Reservation.of(LITTLE), () -> texts.run(body.formatted(5)));

      assertThat(few.suggestions().values().iterator().next().getFirst().options()).hasSize(5);
    }
  }

  private static void refusedForLittle(SearchTestIndex of, String body) {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> WorkMemory.during(Reservation.of(LITTLE), () -> of.run(body)));
    assertThat(refusal).as(body).isNotNull();
    assertThat(refusal.status()).isEqualTo(429);
  }

  @Test
  void manyFiltersAreRefused() {
    StringBuilder filters = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      filters.append(i == 0 ? "" : ",").append("{\"term\":{\"k\":\"key number " + i + "\"}}");
    }
    String body = aggregation("{\"filters\":{\"filters\":[" + filters + "]}}");

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> index.run(body, LITTLE));

    assertThat(refusal.status()).isEqualTo(429);
  }

  @Test
  void emptyBucketsOfAHistogramAreRefused() throws Exception {
    SearchSource source =
        SearchParser.parse(
            Json.parseObject(aggregation("{\"histogram\":{\"field\":\"n\",\"interval\":1e-7}}")));
    ShardResult result =
        QueryPhase.run(source, index.context().reserving(Reservation.of(MUCH)), () -> false);

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () -> SearchMerge.of(source, List.of(result), 2_000_000_000, Reservation.of(1 << 20)));

    assertThat(refusal.status()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(a{50}){100}", "[a-z]{1,5000}"})
  void aRegularExpressionOfTooManyStatesIsRefusedBeforeTheyAreMade(String expression) {
    String body =
        "{\"query\":{\"regexp\":{\"k\":{\"value\":\"%s\",\"max_determinized_states\":100000000}}}}"
            .formatted(expression);

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> index.run(body, 256 << 10));

    assertThat(refusal.status()).isEqualTo(429);
  }

  @Test
  void aRegularExpressionIsAsLargeAsThereIsMemoryFor() throws Exception {
    // 2 ^ 25 states once it is deterministic.
    String exploding = "(a|b)*a(a|b){24}";
    String body =
        "{\"query\":{\"regexp\":{\"k\":{\"value\":\"%s\",\"max_determinized_states\":%d}}}}";

    Refusal asAsked =
        catchThrowableOfType(
            Refusal.class, () -> index.run(body.formatted(exploding, 1000), 16 << 20));
    Refusal asAffordable =
        catchThrowableOfType(
            Refusal.class, () -> index.run(body.formatted(exploding, 100_000_000), 16 << 20));

    assertThat(asAsked.status()).isEqualTo(400);
    assertThat(asAffordable.status()).isEqualTo(429);
    assertThat(index.run(body.formatted("key n.*1", 10_000), 16 << 20).total()).isPositive();
  }
}
