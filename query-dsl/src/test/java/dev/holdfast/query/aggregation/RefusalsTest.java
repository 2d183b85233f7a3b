package dev.holdfast.query.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What clients are told about requests that make no sense.
final class RefusalsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':{'term':{'field':'x'}}} | Unknown aggregation type [term] did you mean [terms]?",
        "{'a':{'avg':{'field':'x'},'max':{'field':'x'}}} | Found two aggregation type definitions"
            + " in [a]: [avg] and [max]",
        "{'a':{'avg':[]}} | Expected [START_OBJECT] under [avg], but got a [START_ARRAY] in [a]",
        "{'a':{'meta':{}}} | Missing definition for aggregation [a]",
        "{'a[0]':{'avg':{'field':'x'}}} | Invalid aggregation name [a[0]]. Aggregation names can"
            + " contain any character except '[', ']', and '>'",
        "{'a':{'avg':{'field':'x','colour':1}}} | [avg] unknown field [colour]",
        "{'a':{'date_histogram':{'field':'x','interval':'1d'}}} | [date_histogram] unknown field"
            + " [interval] did you mean [fixed_interval]?",
        "{'a':{'date_histogram':{'field':'x','fixed_interval':'1M'}}} | [date_histogram] failed to"
            + " parse field [fixed_interval]",
        "{'a':{'date_histogram':{'field':'x','calendar_interval':'2d'}}} | [date_histogram] failed"
            + " to parse field [calendar_interval]",
        "{'a':{'rate':{'field':'x'}}} | The rate aggregation can only be used inside a date histogram"
            + " aggregation or composite aggregation with exactly one date histogram value source",
        "{'a':{'global':{},'aggs':{'t':{'terms':{'field':'x'},'aggs':{'s':{'time_series':{}}}}}}} |"
            + " Time series aggregations cannot be used inside global aggregation.",
        "{'a':{'avg':{'field':'x'},'aggs':{'b':{'avg':{'field':'x'}}}}} | Aggregator [a] of type"
            + " [avg] cannot accept sub-aggregations",
      })
  void malformedRequests(String aggs, String reason) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> AggregationAnswer.tree(aggs));
    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(refusal.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':{'avg':{'field':'k'}}} | Field [k] of type [keyword] is not supported for aggregation"
            + " [avg]",
        "{'a':{'terms':{'field':'t'}}} | Fielddata is disabled on [t] in [test]. Text fields are"
            + " not optimised for operations that require per-document field data like aggregations"
            + " and sorting, so these operations are disabled by default. Please use a keyword"
            + " field instead. Alternatively, set fielddata=true on [t] in order to load field data"
            + " by uninverting the inverted index. Note that this can use significant memory.",
        "{'a':{'date_histogram':{'field':'k','calendar_interval':'day'}}} | Field [k] of type"
            + " [keyword] is not supported for aggregation [date_histogram]",
        "{'a':{'terms':{'field':'b','missing':'1'}}} | Cannot parse boolean [1], expected either"
            + " [true] or [false]",
        "{'a':{'terms':{'field':'b','include':[1]}}} | Cannot parse boolean [1], expected either"
            + " [true] or [false]",
        "{'r':{'reverse_nested':{}}} | Reverse nested aggregation [r] can only be used inside a"
            + " [nested] aggregation",
      })
  void fieldsThatDoNotFit(String aggs, String reason) throws IOException {
    try (AggregationTestShard shard =
        new AggregationTestShard(
            "{\"properties\":{\"k\":{\"type\":\"keyword\"},\"t\":{\"type\":\"text\"},"
                + "\"b\":{\"type\":\"boolean\"}}}")) {
      Refusal refusal =
          catchThrowableOfType(Refusal.class, () -> AggregationAnswer.of(aggs, shard));
      assertThat(refusal.type()).isEqualTo(ErrorType.ILLEGAL_ARGUMENT);
      assertThat(refusal.reason()).isEqualTo(reason);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'a':{'avg':{'field':'x','value_type':'string'}}}                                         | keyword | avg
          {'a':{'max':{'field':'x','value_type':'ip'}}}                                             | ip      | max
          {'a':{'percentiles':{'field':'x','value_type':'string'}}}                                 | keyword | percentiles
          {'a':{'range':{'field':'x','value_type':'ip','ranges':[{'to':1}]}}}                       | ip      | range
          {'a':{'date_histogram':{'field':'x','value_type':'boolean','calendar_interval':'day'}}}   | boolean | date_histogram
          {'a':{'date_range':{'field':'x','value_type':'string','ranges':[{'to':'now'}]}}}          | keyword | date_range
          {'a':{'variable_width_histogram':{'field':'x','value_type':'date'}}}                      | date    | variable_width_histogram
          {'a':{'ip_range':{'field':'x','value_type':'long','ranges':[{'to':'10.0.0.1'}]}}}         | numeric | ip_range
          {'a':{'geo_bounds':{'field':'x','value_type':'double'}}}                                  | numeric | geo_bounds
          """)
  void statedValuesThatDoNotFit(String aggs, String source, String kind) throws IOException {
    try (AggregationTestShard shard = new AggregationTestShard("{\"properties\":{}}")) {
      Refusal refusal =
          catchThrowableOfType(Refusal.class, () -> AggregationAnswer.of(aggs, shard));
      assertThat(refusal.reason())
          .isEqualTo(
              "unmapped field with value source type ["
                  + source
                  + "] is not supported for aggregation ["
                  + kind
                  + "]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'a':{'date_histogram':{'field':'b','calendar_interval':'day'}}} | [b] of type [boolean] is not supported for aggregation [date_histogram]
          {'a':{'median_absolute_deviation':{'field':'d'}}}                | [d] of type [date] is not supported for aggregation [median_absolute_deviation]
          {'a':{'median_absolute_deviation':{'field':'b'}}}                | [b] of type [boolean] is not supported for aggregation [median_absolute_deviation]
          {'a':{'variable_width_histogram':{'field':'d'}}}                 | [d] of type [date] is not supported for aggregation [variable_width_histogram]
          {'a':{'variable_width_histogram':{'field':'b'}}}                 | [b] of type [boolean] is not supported for aggregation [variable_width_histogram]
          {'a':{'rare_terms':{'field':'r'}}}                               | [r] of type [integer_range] is not supported for aggregation [rare_terms]
          {'a':{'geo_bounds':{'field':'g','missing':'1.5'}}}               | unsupported symbol [.] in geohash [1.5]
          {'a':{'geohash_grid':{'field':'g','missing':'2024-01-01'}}}      | unsupported symbol [-] in geohash [2024-01-01]
          {'a':{'geo_centroid':{'field':'x','missing':'1.5'}}}             | unsupported symbol [.] in geohash [1.5]
          {'a':{'geo_bounds':{'field':'g','missing':'100,0'}}}             | invalid latitude 100.0; must be between -90.0 and 90.0
          """)
  void kindsOfValuesThatDoNotFit(String aggs, String reason) throws IOException {
    String mapping =
        """
        {'properties':{'b':{'type':'boolean'},'d':{'type':'date'},'r':{'type':'integer_range'},
          'g':{'type':'geo_point'}}}
        """;
    try (AggregationTestShard shard = new AggregationTestShard(mapping.replace('\'', '"'))) {
      assertThatThrownBy(() -> AggregationAnswer.of(aggs, shard)).hasMessageContaining(reason);
    }
  }

  @Test
  void moreBucketsThanAllowed() throws IOException {
    try (AggregationTestShard shard =
        new AggregationTestShard("{\"properties\":{\"n\":{\"type\":\"long\"}}}")) {
      shard.segment(AggregationAnswer.lines("{'n':1}", "{'n':1000000000000}"));
      Refusal refusal =
          catchThrowableOfType(
              Refusal.class,
              () -> AggregationAnswer.of("{'a':{'histogram':{'field':'n','interval':1}}}", shard));
      assertThat(refusal.type()).isEqualTo(ErrorType.TOO_MANY_BUCKETS);
      assertThat(refusal.reason())
          .startsWith("Trying to create too many buckets. Must be less than or equal to: [65536]");
    }
  }
}
