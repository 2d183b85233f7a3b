package dev.holdfast.query.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `matrix_stats`, and histograms over ranges.
final class SpreadsTest {
  @Test
  void correlatesOverSegmentsAsOverOne() throws Exception {
    // given two numbers, the second three times the first but for one document
    String mapping =
        "{\"properties\": {\"a\": {\"type\": \"double\"}, \"b\": {\"type\": \"double\"}}}";
    try (AggregationTestShard shard =
        new AggregationTestShard(mapping)
            .segment(List.of("{\"a\":1,\"b\":3}", "{\"a\":2,\"b\":6}", "{\"a\":5}"))
            .segment(List.of("{\"a\":[3,5],\"b\":12}", "{\"a\":6,\"b\":18}"))) {
      // when
      JsonNode stats =
          AggregationAnswer.of(
                  "{'m':{'matrix_stats':{'fields':['a','b']}}}", "{'match_all':{}}", false, shard)
              .path("m");
      // then documents without both are left out, and the others lie on a line
      assertThat(stats.path("doc_count").asLong()).isEqualTo(4);
      JsonNode a = stats.at("/fields/0");
      assertThat(a.path("name").asText()).isEqualTo("a");
      assertThat(a.path("mean").asDouble()).isEqualTo(3.25);
      assertThat(a.path("variance").asDouble()).isCloseTo(14.75 / 3, within(1e-12));
      assertThat(a.at("/covariance/b").asDouble()).isCloseTo(14.75, within(1e-12));
      assertThat(a.at("/correlation/b").asDouble()).isCloseTo(1, within(1e-12));
    }
  }

  @Test
  void rangesFallIntoEveryBucketTheyReach() throws Exception {
    String mapping =
        "{\"properties\": {\"r\": {\"type\": \"long_range\"}, \"t\": {\"type\": \"date_range\"}}}";
    try (AggregationTestShard shard =
        new AggregationTestShard(mapping)
            .segment(
                List.of(
                    "{\"r\":{\"gte\":1,\"lt\":11},\"t\":{\"gte\":\"2024-01-31\",\"lt\":\"2024-03-02\"}}",
                    "{\"r\":{\"gte\":12}}"))) {
      JsonNode answer =
          AggregationAnswer.of(
              """
              {'n':{'histogram':{'field':'r','interval':5,'hard_bounds':{'min':0,'max':19}}},
               'm':{'date_histogram':{'field':'t','calendar_interval':'month'}}}
              """,
              "{'match_all':{}}",
              false,
              shard);
      assertThat(answer.at("/n/buckets").findValuesAsText("doc_count"))
          .containsExactly("1", "1", "2", "1");
      assertThat(answer.at("/m/buckets").findValuesAsText("key_as_string"))
          .containsExactly(
              "2024-01-01T00:00:00.000Z", "2024-02-01T00:00:00.000Z", "2024-03-01T00:00:00.000Z");
    }
  }
}
