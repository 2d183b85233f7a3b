package dev.holdfast.query.aggregation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `normalize` and `cumulative_cardinality`.
final class BucketComparisonsTest {
  private static AggregationTestShard shard;

  @BeforeAll
  static void fill() throws IOException {
    shard =
        new AggregationTestShard(
                """
                {"properties": {"x": {"type": "long"}, "v": {"type": "long"},
                  "user": {"type": "keyword"}}}
                """)
            .segment(
                List.of(
                    "{\"x\":0,\"v\":5,\"user\":[\"a\",\"b\"]}",
                    "{\"x\":1,\"v\":5,\"user\":\"a\"}",
                    "{\"x\":2,\"v\":10,\"user\":\"c\"}",
                    "{\"x\":4,\"v\":50,\"user\":[\"b\",\"d\"]}"));
  }

  @AfterAll
  static void close() throws IOException {
    shard.close();
  }

  private static JsonNode answer(String aggs, boolean isTyped) throws IOException {
    return AggregationAnswer.of(aggs, "{'match_all':{}}", isTyped, shard);
  }

  private static JsonNode buckets(String pipeline) throws IOException {
    return answer(
            "{'h':{'histogram':{'field':'x','interval':1},'aggs':{'s':{'sum':{'field':'v'}},"
                + "'u':{'cardinality':{'field':'user'}},'p':{"
                + pipeline
                + "}}}}",
            false)
        .at("/h/buckets");
  }

  /// The numbers are 5, 5, 10, none and 50.
  @ParameterizedTest
  @CsvSource({
    "rescale_0_1, 0, 0.1111, 1",
    "rescale_0_100, 0, 11.1111, 100",
    "percent_of_sum, 0.0714, 0.1429, 0.7143",
    "mean, -0.2778, -0.1667, 0.7222",
    "z-score, -0.5735, -0.3441, 1.4912",
    "softmax, 0, 0, 1",
  })
  void numbersAreInProportion(String method, double first, double third, double last)
      throws IOException {
    JsonNode buckets = buckets("'normalize':{'buckets_path':'s','method':'" + method + "'}");

    assertThat(buckets.at("/0/p/value").asDouble()).isCloseTo(first, within(1e-4));
    assertThat(buckets.at("/1/p/value").asDouble()).isCloseTo(first, within(1e-4));
    assertThat(buckets.at("/2/p/value").asDouble()).isCloseTo(third, within(1e-4));
    assertThat(buckets.at("/3/p/value").isNull()).isTrue();
    assertThat(buckets.at("/4/p/value").asDouble()).isCloseTo(last, within(1e-4));
  }

  @Test
  void anyBucketsWillDo() throws IOException {
    JsonNode buckets =
        answer(
                "{'t':{'terms':{'field':'user'},'aggs':{'p':{'normalize':{'buckets_path':'_count',"
                    + "'method':'percent_of_sum','format':'00.0%'}}}}}",
                true)
            .at("/sterms#t/buckets");

    assertThat(buckets.at("/0/simple_value#p/value_as_string").asText()).isEqualTo("33.3%");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",'method':'softmin'", ",'method':'mean','gap_policy':'skip'"})
  void itNeedsAMethod(String options) {
    assertThatThrownBy(() -> buckets("'normalize':{'buckets_path':'s'" + options + "}"))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void differentValuesSoFar() throws IOException {
    JsonNode buckets = buckets("'cumulative_cardinality':{'buckets_path':'u'}");

    assertThat(buckets.findValues("p").toString())
        .isEqualTo("[{\"value\":2}, {\"value\":2}, {\"value\":3}, {\"value\":3}, {\"value\":4}]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"s", "u.value", "u[value]", "u>value", "s>u"})
  void onlyOfCardinalities(String path) {
    assertThatThrownBy(() -> buckets("'cumulative_cardinality':{'buckets_path':'" + path + "'}"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("must reference a cardinality aggregation");
  }

  @Test
  void theOnlyNumberIsCalledValue() throws IOException {
    for (String path : List.of("u", "u.value", "u[value]")) {
      JsonNode buckets = buckets("'cumulative_sum':{'buckets_path':'" + path + "'}");

      assertThat(buckets.at("/4/p/value").asDouble()).as(path).isEqualTo(6);
    }
    for (String path : List.of("u.banana", "u[banana]", "s.avg")) {
      assertThatThrownBy(() -> buckets("'cumulative_sum':{'buckets_path':'" + path + "'}"))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("path not supported for [");
    }
  }

  @Test
  void aMedianDeviationIsOneNumber() throws IOException {
    JsonNode answer =
        answer(
            "{'h':{'histogram':{'field':'x','interval':10},'aggs':{'d':{"
                + "'median_absolute_deviation':{'field':'v'}}}},"
                + "'p':{'max_bucket':{'buckets_path':'h>d'}}}",
            false);

    assertThat(answer.at("/p/value").asDouble()).isPositive();
    assertThat(answer.at("/p/value")).isEqualTo(answer.at("/h/buckets/0/d/value"));
  }
}
