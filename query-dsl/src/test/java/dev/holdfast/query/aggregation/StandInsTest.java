package dev.holdfast.query.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What stands in for values that documents, or all of an index, lack.
final class StandInsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'a':{'geo_bounds':{'field':'g','missing':'10,20'}}}                      | /a/bounds/top_left/lon | 19.99999998137355
          {'a':{'geo_bounds':{'field':'x','missing':'10,20'}}}                      | /a/bounds/top_left/lon | 19.99999998137355
          {'a':{'geo_centroid':{'field':'g','missing':'10,20'}}}                    | /a/count               | 2
          {'a':{'geo_centroid':{'field':'g','missing':1}}}                          | /a/count               | 2
          {'a':{'geohash_grid':{'field':'g','missing':'10,20','precision':1}}}      | /a/buckets/0/doc_count | 2
          {'a':{'geotile_grid':{'field':'x','missing':'10,20','precision':3}}}      | /a/buckets/0/doc_count | 2
          {'a':{'geo_distance':{'field':'g','missing':'10,20','origin':'10,20','ranges':[{'to':1}]}}} | /a/buckets/0/doc_count | 1
          {'a':{'value_count':{'field':'g','missing':'10,20'}}}                     | /a/value               | 2
          {'a':{'diversified_sampler':{'field':'x'}}}                               | /a/doc_count           | 0
          {'a':{'diversified_sampler':{'field':'x'},'aggs':{'c':{'value_count':{'field':'g'}}}}} | /a/doc_count | 0
          """)
  void areRead(String aggs, String where, String expected) throws IOException {
    try (AggregationTestShard shard =
        new AggregationTestShard("{\"properties\":{\"g\":{\"type\":\"geo_point\"}}}")) {
      shard.segment(AggregationAnswer.lines("{'g':'30,40'}", "{}"));

      assertThat(AggregationAnswer.of(aggs, shard).at(where).asText()).isEqualTo(expected);
    }
  }
}
