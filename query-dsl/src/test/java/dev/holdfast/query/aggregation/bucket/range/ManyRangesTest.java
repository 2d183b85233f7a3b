package dev.holdfast.query.aggregation.bucket.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Ranges have their buckets in every answer, below each bucket that they stand in.
final class ManyRangesTest {
  private static final long SOME = 512 << 10;

  @AutoClose private static SearchTestIndex index;

  @BeforeAll
  static void write() throws Exception {
    index =
        new SearchTestIndex(
            """
            {"k":{"type":"keyword"},"n":{"type":"long"},"w":{"type":"date"},"a":{"type":"ip"},
             "p":{"type":"geo_point"}}
            """);
    String[] documents = new String[100];
    for (int i = 0; i < 50; i++) {
      documents[2 * i] = "d" + i;
      documents[2 * i + 1] =
          "{\"k\":\"k%d\",\"n\":%d,\"w\":%d,\"a\":\"10.0.0.%d\",\"p\":[1,1]}".formatted(i, i, i, i);
    }
    index.add(documents);
  }

  /// @param kind with a star where the ranges go
  private static String many(String kind, String range, int count, String below) {
    return "{"
        + kind.replace("*", String.join(",", Collections.nCopies(count, range)))
        + (below.isEmpty() ? "" : ",'aggs':{'b':" + below + "}")
        + "}";
  }

  private static String search(String aggregation) {
    return ("{'size':0,'aggs':{'a':" + aggregation + "}}").replace('\'', '"');
  }

  /// A thousand in a thousand in a thousand had filled any heap, without a document.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'range':{'field':'n','ranges':[*]} | {'from':1,'to':9}",
        "'date_range':{'field':'w','ranges':[*]} | {'from':1,'to':9}",
        "'ip_range':{'field':'a','ranges':[*]} | {'to':'10.0.0.9'}",
        "'ip_range':{'field':'none','ranges':[*]} | {'to':'10.0.0.9'}",
        "'geo_distance':{'field':'p','origin':'1,1','ranges':[*]} | {'to':9}",
        "'filters':{'filters':[*]} | {'match_all':{}}",
      })
  void whereTheyNestTheyAskForMemory(String kind, String range) throws Exception {
    String flat = many(kind, range, 40, "");
    String nested = many(kind, range, 40, many(kind, range, 40, flat));

    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> index.run(search(nested), 3 * SOME));

    assertThat(refusal).isNotNull();
    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(index.run(search(flat), 3 * SOME).total()).isEqualTo(50);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'range':{'field':'n','ranges':[*]} | {'from':1,'to':9}",
        "'ip_range':{'field':'a','ranges':[*]} | {'to':'10.0.0.9'}",
        "'geo_distance':{'field':'p','origin':'1,1','ranges':[*]} | {'to':0.1}",
      })
  void belowEachOfManyBucketsTheyAskForMemory(String kind, String range) throws Exception {
    String flat = many(kind, range, 300, "");
    String repeated = "{'terms':{'field':'k','size':50},'aggs':{'b':" + flat + "}}";

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> index.run(search(repeated), SOME));

    assertThat(refusal).isNotNull();
    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(index.run(search(flat), SOME).total()).isEqualTo(50);
  }

  @Test
  void moreThanAnAnswerMayHaveAreRefusedBeforeTheyAreMerged() throws Exception {
    String kind = "'range':{'field':'n','ranges':[*]}";
    String range = "{'from':1,'to':9}";
    SearchSource source =
        SearchParser.parse(
            Json.parseObject(search(many(kind, range, 9, many(kind, range, 9, "")))));
    ShardResult unmergeable = index.run("{\"size\":0}");

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () -> SearchMerge.of(source, List.of(unmergeable), 89, Reservation.ofHeap()));

    assertThat(refusal.type()).isEqualTo(ErrorType.TOO_MANY_BUCKETS);
    assertThat(source.aggregations().bucketsAlways()).isEqualTo(90);
  }

  /// By their numbers in a segment's dictionary, or by themselves where there are few of them.
  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  void addressesAreInTheirRanges(int copies) throws Exception {
    List<String> documents =
        List.of(
            "{\"a\":[\"10.0.0.4\",\"10.0.0.5\"]}", "{\"a\":\"10.0.0.8\"}", "{\"a\":\"10.0.0.9\"}");
    List<String> all = new ArrayList<>();
    for (int i = 0; i < copies; i++) {
      all.addAll(documents);
    }
    String ranges =
        "{'to':'10.0.0.5'},{'from':'10.0.0.5','to':'10.0.0.9'},{'mask':'10.0.0.8/29'},"
            + "{'from':'10.0.0.9'},{'from':'10.0.0.6','to':'10.0.0.6'}";
    try (AggregationTestShard shard =
        new AggregationTestShard("{\"properties\":{\"a\":{\"type\":\"ip\"}}}").segment(all)) {
      JsonNode buckets =
          AggregationAnswer.of("{'r':{'ip_range':{'field':'a','ranges':[" + ranges + "]}}}", shard)
              .at("/r/buckets");

      assertThat(buckets.findValues("doc_count").stream().mapToInt(JsonNode::asInt))
          .containsExactly(copies, 2 * copies, 0, 2 * copies, copies);
    }
  }

  /// A document is handed on with each of its ranges, however many they are.
  @Test
  void eachDocumentIsInAllOfThem() throws Exception {
    List<String> documents = new ArrayList<>();
    for (int i = 0; i < 1_100; i++) {
      documents.add(
          "{\"a\":[\"10.0.%d.%d\",\"10.0.9.9\"],\"n\":%d}".formatted(i / 256, i % 256, i));
    }
    String mapping = "{\"properties\":{\"a\":{\"type\":\"ip\"},\"n\":{\"type\":\"long\"}}}";
    String ranges =
        many(
            "'ip_range':{'field':'a','ranges':[*]}",
            "{'mask':'10.0.0.0/8'}",
            100,
            "{'max':{'field':'n'}}");
    try (AggregationTestShard shard = new AggregationTestShard(mapping).segment(documents)) {
      JsonNode buckets = AggregationAnswer.of("{'r':" + ranges + "}", shard).at("/r/buckets");

      assertThat(buckets).hasSize(100);
      for (JsonNode bucket : buckets) {
        assertThat(bucket.path("doc_count").asInt()).isEqualTo(1_100);
        assertThat(bucket.at("/b/value").asInt()).isEqualTo(1_099);
      }
    }
  }
}
