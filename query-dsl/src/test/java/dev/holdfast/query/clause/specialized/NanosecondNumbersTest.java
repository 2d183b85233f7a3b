package dev.holdfast.query.clause.specialized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import dev.holdfast.query.result.Hit;
import java.io.IOException;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Numbers of requests mean milliseconds where a field is of nanoseconds, too.
final class NanosecondNumbersTest {
  private static final Offset<Float> NEAR = within(0.001f);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"distance_feature":{"field":"n","origin":1577836800000,"pivot":"2d"}}                 | 1   | 0.5
          {"distance_feature":{"field":"n","origin":"2020-01-01T00:00:00Z","pivot":"2d"}}        | 1   | 0.5
          {"distance_feature":{"field":"n","origin":"2020-01-01T00:00:00Z","pivot":"400000d"}}   | 1   | 1
          {"function_score":{"linear":{"n":{"origin":1577836800000,"scale":"2d"}},"boost_mode":"replace"}} | 1 | 0.5
          """)
  void originsAreMilliseconds(String query, float first, float second) throws IOException {
    try (SearchTestIndex index =
        new SearchTestIndex("{\"n\":{\"type\":\"date_nanos\"}}")
            .add("1", "{\"n\":\"2020-01-01\"}", "2", "{\"n\":\"2020-01-03\"}")) {
      List<Hit> hits = index.hits("{\"query\":" + query + "}");

      assertThat(hits.get(0).score()).isCloseTo(first, NEAR);
      assertThat(hits.get(1).score()).isCloseTo(second, NEAR);
    }
  }

  @Test
  void soAreValuesThatTermsIncludes() throws IOException {
    try (AggregationTestShard shard =
        new AggregationTestShard("{\"properties\":{\"n\":{\"type\":\"date_nanos\"}}}")) {
      shard.segment(AggregationAnswer.lines("{'n':'2020-01-01'}", "{'n':'2020-01-03'}"));

      JsonNode answer =
          AggregationAnswer.of("{'a':{'terms':{'field':'n','include':[1577836800000]}}}", shard);

      assertThat(answer.at("/a/buckets")).hasSize(1);
      assertThat(answer.at("/a/buckets/0/key").asLong()).isEqualTo(1577836800000L);
    }
  }
}
