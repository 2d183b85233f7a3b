package dev.holdfast.query.aggregation.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Buckets of segments in which no document has a value of the sub-aggregations' field.
final class SparseSegmentsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'terms':{'field':'k'}",
        "'terms':{'field':'n'}",
        "'histogram':{'field':'n','interval':1}",
        "'multi_terms':{'terms':[{'field':'k'},{'field':'n'}]}",
        "'rare_terms':{'field':'k','max_doc_count':9}",
        "'composite':{'sources':[{'k':{'terms':{'field':'k'}}}]}"
      })
  void haveNothingBelow(String aggregation) throws Exception {
    String mapping =
        "{\"properties\":{\"k\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"},\"v\":{\"type\":\"double\"}}}";
    try (AggregationTestShard shard =
        new AggregationTestShard(mapping)
            .segment(
                List.of(
                    "{\"k\":\"a\",\"n\":1,\"v\":3}",
                    "{\"k\":\"a\",\"n\":1,\"v\":4}",
                    "{\"k\":\"a\",\"n\":1}"))
            .segment(List.of("{\"k\":\"b\",\"n\":2}", "{\"k\":\"b\",\"n\":2}"))) {
      JsonNode buckets =
          AggregationAnswer.of(
                  "{'x':{"
                      + aggregation
                      + ",'aggs':{'s':{'sum':{'field':'v'}},'m':{'max':{'field':'v'}}}}}",
                  "{'match_all':{}}",
                  false,
                  shard)
              .at("/x/buckets");

      for (JsonNode bucket : buckets) {
        boolean isFirst = bucket.path("doc_count").asInt() == 3;
        assertThat(bucket.at("/s/value").asDouble()).isEqualTo(isFirst ? 7 : 0);
        assertThat(bucket.at("/m/value").isNull()).isEqualTo(!isFirst);
      }
      assertThat(buckets).hasSize(2);
    }
  }
}
