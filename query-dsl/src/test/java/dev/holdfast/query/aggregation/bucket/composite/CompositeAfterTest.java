package dev.holdfast.query.aggregation.bucket.composite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Keys after which a page of `composite` begins, as clients write them.
final class CompositeAfterTest {
  private static final String MAPPING =
      """
      {"properties": {"u": {"type": "unsigned_long"}, "n": {"type": "long"},
        "at": {"type": "date"}}}
      """;
  private static final List<String> DOCUMENTS =
      List.of(
          "{\"u\":0,\"n\":1,\"at\":\"2020-01-01\"}",
          "{\"u\":5,\"n\":2,\"at\":\"2020-01-02\"}",
          "{\"u\":9223372036854775808,\"n\":3,\"at\":\"2020-01-03\"}",
          "{\"u\":18446744073709551615,\"n\":4,\"at\":\"2020-01-04\"}");

  private static JsonNode page(String source, String after) throws Exception {
    try (AggregationTestShard shard = new AggregationTestShard(MAPPING).segment(DOCUMENTS)) {
      return AggregationAnswer.of(
              "{'a':{'composite':{'sources':[{'s':{"
                  + source
                  + "}}],'after':{'s':"
                  + after
                  + "}}}}",
              shard)
          .path("a");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "'terms':{'field':'u'} | 5 | 9223372036854775808 18446744073709551615",
        "'terms':{'field':'u'} | '5' | 9223372036854775808 18446744073709551615",
        "'terms':{'field':'u'} | 9223372036854775808 | 18446744073709551615",
        "'terms':{'field':'u','order':'desc'} | 9223372036854775808 | 5 0",
        "'terms':{'field':'n'} | '2' | 3 4",
        "'terms':{'field':'n'} | 2.7 | 3 4",
        "'histogram':{'field':'n','interval':2} | '2' | 4.0",
        "'date_histogram':{'field':'at','fixed_interval':'1d'} | 1577923200000 | 1578009600000"
            + " 1578096000000",
        "'date_histogram':{'field':'at','fixed_interval':'1d'} | '2020-01-02' | 1578009600000"
            + " 1578096000000",
        "'date_histogram':{'field':'at','fixed_interval':'1d','format':'dd'} | 1577923200000 | 03 04",
        "'terms':{'field':'at'} | '2020-01-03' | 1578096000000",
      })
  void isANumberOrAText(String source, String after, String keys) throws Exception {
    StringBuilder found = new StringBuilder();
    for (JsonNode bucket : page(source, after).path("buckets")) {
      found.append(found.isEmpty() ? "" : " ").append(bucket.at("/key/s").asText());
    }
    assertThat(found.toString()).isEqualTo(keys);
  }

  /// The value of a `constant_keyword`, as the name of an index, is in no segment.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      nullValues = "none",
      value = {
        "asc | none | fig:3 pear:2 plum:1",
        "desc | none | plum:1 pear:2 fig:3",
        "asc | 'apple' | fig:3 pear:2 plum:1",
        "asc | 'fig' | pear:2 plum:1",
        "asc | 'kiwi' | pear:2 plum:1",
        "asc | 'plum' | ^^",
        "desc | 'plum' | pear:2 fig:3",
        "desc | 'kiwi' | fig:3",
        "desc | 'fig' | ^^",
      })
  void isAConstantOfAShard(String order, @Nullable String after, String keys) throws Exception {
    String request =
        "{'a':{'composite':{'sources':[{'s':{'terms':{'field':'k','order':'"
            + order
            + "'}}}]"
            + (after == null ? "" : ",'after':{'s':" + after + "}")
            + "}}}";
    String mapping = "{\"properties\":{\"k\":{\"type\":\"constant_keyword\",\"value\":\"%s\"}}}";
    List<String> one = List.of("{}");
    try (AggregationTestShard fig = new AggregationTestShard(mapping.formatted("fig"));
        AggregationTestShard pear = new AggregationTestShard(mapping.formatted("pear"));
        AggregationTestShard plum = new AggregationTestShard(mapping.formatted("plum"))) {
      JsonNode page =
          AggregationAnswer.of(
              request,
              fig.segment(one).segment(List.of("{}", "{}")),
              pear.segment(one).segment(one),
              plum.segment(one));

      StringBuilder found = new StringBuilder();
      for (JsonNode bucket : page.at("/a/buckets")) {
        found.append(found.isEmpty() ? "" : " ").append(bucket.at("/key/s").asText());
        found.append(':').append(bucket.path("doc_count"));
      }
      assertThat(found.toString()).isEqualTo(keys);
    }
  }

  @Test
  void isNotNow() {
    assertThatThrownBy(() -> page("'terms':{'field':'at'}", "'now'"))
        .hasMessageContaining("now() is not supported in [after] key");
  }
}
