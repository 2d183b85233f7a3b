package dev.holdfast.query.aggregation.bucket.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Buckets of the best scored documents only.
final class SamplerTest {
  private static final String TAGS = "'aggs':{'t':{'terms':{'field':'tag'}}}";
  private static AggregationTestShard shard;

  @BeforeAll
  static void fill() throws IOException {
    // given documents in the order of their scores: x, z, w, y
    shard =
        new AggregationTestShard(
                """
                {"properties":{"t":{"type":"text"},"tag":{"type":"keyword"},
                 "author":{"type":"keyword"}}}\
                """)
            .segment(
                AggregationAnswer.lines(
                    "{'t':'a a a a','tag':'x','author':'p'}", "{'t':'a b c d','tag':'y'}"))
            .segment(
                AggregationAnswer.lines(
                    "{'t':'a a a b','tag':'z','author':'p'}",
                    "{'t':'a a b c','tag':'w','author':'q'}",
                    "{'t':'nothing','tag':'v'}"));
  }

  @AfterAll
  static void close() throws IOException {
    shard.close();
  }

  private static JsonNode sampled(String sampler) throws IOException {
    return AggregationAnswer.of(
            "{'s':{" + sampler + "," + TAGS + "}}", "{'term':{'t':'a'}}", false, shard)
        .path("s");
  }

  @Test
  void keepsTheBestOfTheShard() throws IOException {
    JsonNode sample = sampled("'sampler':{'shard_size':2}");

    assertThat(sample.path("doc_count").asLong()).isEqualTo(2);
    assertThat(sample.path("t").findValuesAsText("key")).containsExactly("x", "z");
  }

  @Test
  void keepsAllWhereTheyAreFewer() throws IOException {
    JsonNode sample = sampled("'sampler':{}");

    assertThat(sample.path("doc_count").asLong()).isEqualTo(4);
    assertThat(sample.path("t").findValuesAsText("key")).containsExactly("w", "x", "y", "z");
  }

  @Test
  void keepsSoManyOfEachValueOnly() throws IOException {
    JsonNode sample =
        sampled("'diversified_sampler':{'shard_size':2,'field':'author','max_docs_per_value':1}");

    // of author p the better one, and then the best of others
    assertThat(sample.path("doc_count").asLong()).isEqualTo(2);
    assertThat(sample.path("t").findValuesAsText("key")).containsExactly("w", "x");
  }

  @Test
  void refusesToSampleForNobody() {
    assertThatThrownBy(() -> AggregationAnswer.of("{'s':{'sampler':{}}}", shard))
        .isInstanceOf(Refusal.class)
        .hasMessage("Sampler aggregation must be used with child aggregations.");
    assertThatThrownBy(() -> sampled("'sampler':{'shard_size':-1}"))
        .isInstanceOf(Refusal.class)
        .hasMessage("[shardSize] must be greater than or equal to 0. Found [-1]");
  }
}
