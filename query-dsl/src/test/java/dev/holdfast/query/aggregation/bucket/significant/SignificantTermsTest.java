package dev.holdfast.query.aggregation.bucket.significant;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class SignificantTermsTest {
  private static final String MAPPING =
      "{\"properties\":{\"k\":{\"type\":\"keyword\"},\"f\":{\"type\":\"boolean\"}}}";

  @Test
  void aTermIsCountedOnShardsWhereItIsNotSignificant() throws IOException {
    // given a term that is frequent among what is found on one shard, and usual on the other
    try (AggregationTestShard telling =
            new AggregationTestShard(MAPPING)
                .segment(
                    AggregationAnswer.lines(
                        "{'k':'a','f':true}",
                        "{'k':'a','f':true}",
                        "{'k':'b','f':false}",
                        "{'k':'b','f':false}"));
        AggregationTestShard other =
            new AggregationTestShard(MAPPING)
                .segment(
                    AggregationAnswer.lines(
                        "{'k':'a','f':false}",
                        "{'k':'a','f':true}",
                        "{'k':'b','f':true}",
                        "{'k':'b','f':false}"))) {
      JsonNode buckets =
          AggregationAnswer.of(
                  "{'s':{'significant_terms':{'field':'k','min_doc_count':1}}}",
                  "{'term':{'f':true}}",
                  false,
                  telling,
                  other)
              .at("/s/buckets");

      assertThat(buckets.findValuesAsText("key")).containsExactly("a");
      assertThat(buckets.at("/0/doc_count").asInt()).isEqualTo(3);
      assertThat(buckets.at("/0/bg_count").asInt()).isEqualTo(4);

      JsonNode unseen =
          AggregationAnswer.of(
              "{'s':{'significant_terms':{'field':'k','background_filter':{'term':{'k':'z'}}}}}",
              "{'term':{'f':true}}",
              false,
              telling,
              other);
      assertThat(unseen.at("/s/doc_count").asInt()).isEqualTo(4);
      assertThat(unseen.at("/s/bg_count").asInt(-1)).isZero();
    }
  }

  @Test
  void emptyBucketsKnowTheBackground() throws IOException {
    try (AggregationTestShard shard =
        new AggregationTestShard(
                "{\"properties\":{\"k\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"}}}")
            .segment(AggregationAnswer.lines("{'k':'a','n':1}", "{'k':'b','n':21}"))) {
      JsonNode buckets =
          AggregationAnswer.of(
                  "{'h':{'histogram':{'field':'n','interval':10},'aggs':{'f':{'filters':{'filters':[{'match_all':{}}]},"
                      + "'aggs':{'s':{'significant_terms':{'field':'k'}}}}}}}",
                  shard)
              .at("/h/buckets");

      assertThat(buckets.at("/1/doc_count").asInt()).isZero();
      assertThat(buckets.at("/1/f/buckets/0/s/doc_count").asInt()).isZero();
      assertThat(buckets.at("/1/f/buckets/0/s/bg_count").asInt()).isEqualTo(2);
    }
  }
}
