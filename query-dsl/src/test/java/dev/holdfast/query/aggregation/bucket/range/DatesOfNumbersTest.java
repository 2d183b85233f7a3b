package dev.holdfast.query.aggregation.bucket.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `date_histogram` and `date_range` of numbers, which are milliseconds: with fractions too, and
/// shown as the numbers that they are.
final class DatesOfNumbersTest {
  private static final String[] FRACTIONS = {"\"double\"", "\"scaled_float\",\"scaling_factor\":4"};

  private static AggregationTestShard shard(String type) throws IOException {
    return new AggregationTestShard("{\"properties\":{\"f\":{\"type\":" + type + "}}}");
  }

  private static void fill(AggregationTestShard shard) throws IOException {
    shard.segment(AggregationAnswer.lines("{'f':-1.5}", "{'f':[0.5,86399999.75]}", "{}"));
    shard.segment(AggregationAnswer.lines("{'f':86400000.25}", "{'f':172800000}"));
  }

  @Test
  void fractionsAreInTheBucketOfTheirWholePart() throws IOException {
    for (String type : FRACTIONS) {
      try (AggregationTestShard shard = shard(type)) {
        fill(shard);
        JsonNode all =
            AggregationAnswer.of(
                "{'a':{'date_histogram':{'field':'f','fixed_interval':'1d'}}}", shard);
        assertThat(all.at("/a/buckets"))
            .as(type)
            .hasToString(
                "[{\"key\":-86400000,\"doc_count\":1},{\"key\":0,\"doc_count\":1},"
                    + "{\"key\":86400000,\"doc_count\":1},{\"key\":172800000,\"doc_count\":1}]");
        JsonNode some =
            AggregationAnswer.of(
                "{'a':{'date_histogram':{'field':'f','calendar_interval':'day','keyed':true,"
                    + "'missing':86400000,'hard_bounds':{'min':0,'max':172800000}}}}",
                shard);
        assertThat(some.at("/a/buckets"))
            .as(type)
            .hasToString(
                "{\"0\":{\"key\":0,\"doc_count\":1},"
                    + "\"86400000\":{\"key\":86400000,\"doc_count\":2}}");
        JsonNode shown =
            AggregationAnswer.of(
                "{'a':{'date_histogram':{'field':'f','fixed_interval':'2d','format':'0.0 ms'}}}",
                shard);
        assertThat(shown.at("/a/buckets/1/key_as_string").asText()).isEqualTo("0.0 ms");
      }
    }
  }

  @Test
  void soAreThoseOfCompositeAndAutomaticHistograms() throws IOException {
    for (String type : FRACTIONS) {
      try (AggregationTestShard shard = shard(type)) {
        fill(shard);
        String source = "{'d':{'date_histogram':{'field':'f','fixed_interval':'1d'}}}";
        assertThat(keys("'composite':{'sources':[" + source + "]}", shard))
            .as(type)
            .isEqualTo("-86400000:1 0:1 86400000:1 172800000:1");
        assertThat(keys("'composite':{'sources':[" + source + "],'after':{'d':0}}", shard))
            .isEqualTo("86400000:1 172800000:1");
        assertThat(keys("'composite':{'sources':[" + source + "],'after':{'d':'0'}}", shard))
            .isEqualTo("86400000:1 172800000:1");
        assertThat(
                keys(
                    "'auto_date_histogram':{'field':'f','buckets':9,'minimum_interval':'day'}",
                    shard))
            .as(type)
            .isEqualTo("-86400000:1 0:1 86400000:1 172800000:1");
      }
    }
  }

  private static String keys(String aggregation, AggregationTestShard shard) throws IOException {
    StringBuilder keys = new StringBuilder();
    JsonNode answer = AggregationAnswer.of("{'a':{" + aggregation + "}}", shard);
    for (JsonNode bucket : answer.at("/a/buckets")) {
      JsonNode key = bucket.path("key").isObject() ? bucket.at("/key/d") : bucket.path("key");
      assertThat(bucket.has("key_as_string")).isFalse();
      keys.append(key.asText()).append(':').append(bucket.path("doc_count").asInt()).append(' ');
    }
    return keys.toString().strip();
  }

  @ParameterizedTest
  @ValueSource(strings = {"double", "float", "half_float", "long"})
  void rangesOfNumbersHaveEndsThatAreNumbers(String type) throws IOException {
    try (AggregationTestShard shard = shard("\"" + type + "\"")) {
      shard.segment(AggregationAnswer.lines("{'f':1}", "{'f':[2,3]}", "{'f':4}"));
      JsonNode ranges =
          AggregationAnswer.of(
              "{'a':{'date_range':{'field':'f','ranges':[{'to':3},{'from':'2','to':4.9},"
                  + "{'from':4,'key':'k'}]}}}",
              shard);
      assertThat(ranges.at("/a/buckets"))
          .hasToString(
              "[{\"key\":\"*-3.0\",\"to\":3.0,\"doc_count\":2},"
                  + "{\"key\":\"2.0-4.0\",\"from\":2.0,\"to\":4.0,\"doc_count\":1},"
                  + "{\"key\":\"k\",\"from\":4.0,\"doc_count\":1}]");
    }
  }

  @Test
  void datesAreNoEndsOfNumbers() throws IOException {
    try (AggregationTestShard shard = shard("\"double\"")) {
      shard.segment(AggregationAnswer.lines("{'f':1}"));
      Refusal refusal =
          catchThrowableOfType(
              Refusal.class,
              () ->
                  AggregationAnswer.of(
                      "{'a':{'date_range':{'field':'f','ranges':[{'from':'now'}]}}}", shard));
      assertThat(refusal.type()).isEqualTo(ErrorType.NUMBER_FORMAT);
    }
  }
}
