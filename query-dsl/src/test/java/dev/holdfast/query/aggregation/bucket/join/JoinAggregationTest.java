package dev.holdfast.query.aggregation.bucket.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// `children` and `parent`: from the documents found to those that they are joined with.
final class JoinAggregationTest {
  private static AggregationTestShard shard;

  @BeforeAll
  static void fill() throws IOException {
    // given questions 0 and 1, answers to both in this and in another segment
    shard =
        new AggregationTestShard(
                """
                {"properties":{"tag":{"type":"keyword"},"n":{"type":"long"},
                 "join":{"type":"join","relations":{"question":"answer"}}}}\
                """)
            .routed(
                "r",
                AggregationAnswer.lines(
                    "{'tag':'x','join':'question'}",
                    "{'tag':'y','join':'question'}",
                    "{'n':1,'join':{'name':'answer','parent':'0'}}"))
            .routed(
                "r",
                AggregationAnswer.lines(
                    "{'n':2,'join':{'name':'answer','parent':'0'}}",
                    "{'n':4,'join':{'name':'answer','parent':'1'}}",
                    "{'tag':'x'}"));
  }

  @AfterAll
  static void close() throws IOException {
    shard.close();
  }

  @Test
  void collectsTheChildrenOfEachBucket() throws IOException {
    JsonNode tags =
        AggregationAnswer.of(
                """
                {'tags':{'terms':{'field':'tag'},'aggs':{'answers':{'children':{'type':'answer'},
                  'aggs':{'sum':{'sum':{'field':'n'}}}}}}}\
                """,
                shard)
            .at("/tags/buckets");

    assertThat(tags.findValuesAsText("key")).containsExactly("x", "y");
    assertThat(tags.at("/0/doc_count").asLong()).isEqualTo(2);
    assertThat(tags.at("/0/answers/doc_count").asLong()).isEqualTo(2);
    assertThat(tags.at("/0/answers/sum/value").asDouble()).isEqualTo(3);
    assertThat(tags.at("/1/answers/doc_count").asLong()).isEqualTo(1);
    assertThat(tags.at("/1/answers/sum/value").asDouble()).isEqualTo(4);
  }

  @Test
  void collectsEachParentOnce() throws IOException {
    JsonNode questions =
        AggregationAnswer.of(
                """
                {'questions':{'parent':{'type':'answer'},
                  'aggs':{'tags':{'terms':{'field':'tag'}}}}}\
                """,
                shard)
            .path("questions");

    assertThat(questions.path("doc_count").asLong()).isEqualTo(2);
    assertThat(questions.at("/tags/buckets").findValuesAsText("doc_count"))
        .containsExactly("1", "1");
  }

  @Test
  void findsNothingOfKindsThatNobodyJoins() throws IOException {
    JsonNode none = AggregationAnswer.of("{'c':{'children':{'type':'comment'}}}", shard).path("c");

    assertThat(none.path("doc_count").asLong()).isZero();
  }
}
