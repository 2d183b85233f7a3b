package dev.holdfast.query.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SearchSourceTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"qery":{}}               | Unknown key for a START_OBJECT in [qery]. did you mean [query]?
          {"zzzzzz":1}              | Unknown key for a VALUE_NUMBER in [zzzzzz].
          {"size":-1}               | [size] parameter cannot be negative, found [-1]
          {"from":-5}               | [from] parameter cannot be negative but was [-5]
          {"sort":["a"],"search_after":[1,2]} | search_after has 2 value(s) but sort has 1.
          {"aggs":{"x":{"zork":{}}}} | Unknown aggregation type [zork]
          {"timeout":"1x"}          | failed to parse setting [timeout] with value [1x] as a time value: unit is missing or unrecognized
          {"sort":[{"a":{"ordr":"asc"}}]} | [field_sort] unknown field [ordr] did you mean [order]?
          """)
  void refusesWhatItDoesNotKnow(String body, String reason) {
    assertThatThrownBy(() -> SearchParser.parse(Json.parseObject(body)))
        .isInstanceOf(Refusal.class)
        .hasMessage(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ["a"]                          | {"a":{"b":1,"c":[{"d":2,"e":3}]}}
          ["a.b"]                        | {"a":{"b":1}}
          "a.c.*"                        | {"a":{"c":[{"d":2,"e":3}]}}
          ["*.d"]                        | {"a":{"c":[{"d":2}]}}
          {"excludes":["a.c","z"]}       | {"a":{"b":1},"f":{},"s":"x"}
          {"includes":["a"],"excludes":["*.e"]} | {"a":{"b":1,"c":[{"d":2}]}}
          {"excludes":["a.c.*"]}         | {"a":{"b":1,"c":[]},"f":{},"s":"x","z":[1,2]}
          ["nothing"]                    | {}
          true                           | {"a":{"b":1,"c":[{"d":2,"e":3}]},"f":{},"s":"x","z":[1,2]}
          """)
  void filtersSources(String filter, String expected) throws IOException {
    byte[] source =
        """
        {"a":{"b":1,"c":[{"d":2,"e":3}]},"f":{},"s":"x","z":[1,2]}\
        """
            .getBytes(StandardCharsets.UTF_8);

    byte[] filtered = SourceFilter.parse(Json.parse(filter)).apply(source);

    assertThat(new String(filtered, StandardCharsets.UTF_8)).isEqualTo(expected);
  }

  @Test
  void countsTotals() throws IOException {
    try (SearchTestIndex index =
        new SearchTestIndex("{\"n\":{\"type\":\"long\"},\"x\":{\"type\":\"text\"}}")) {
      for (int segment = 0; segment < 4; segment++) {
        String[] documents = new String[50];
        for (int i = 0; i < 50; i += 2) {
          documents[i] = segment + "-" + i;
          documents[i + 1] =
              "{\"n\":" + i + ",\"x\":\"" + (i % 3 == 0 ? "w" : "u") + " v".repeat(i) + "\"}";
        }
        index.add(documents);
      }
      String query =
          "\"query\":{\"bool\":{\"must\":[{\"match\":{\"x\":\"w\"}},{\"range\":{\"n\":{\"gte\":10}}}]}}";

      ShardResult all = index.run("{\"track_total_hits\":true," + query + "}");
      ShardResult bounded = index.run("{\"track_total_hits\":5,\"size\":0," + query + "}");
      ShardResult none = index.run("{\"track_total_hits\":false," + query + "}");
      ShardResult counted = index.run("{\"size\":0," + query + "}");
      ShardResult early =
          index.run("{\"terminate_after\":3,\"track_total_hits\":true," + query + "}");
      ShardResult scored = index.run("{\"min_score\":100}");

      assertThat(all.total()).isEqualTo(28);
      assertThat(all.isTotalExact()).isTrue();
      assertThat(bounded.isTotalExact()).isFalse();
      assertThat(bounded.total()).isGreaterThan(5);
      assertThat(
              SearchMerge.of(
                      SearchParser.parse(Json.parseObject("{\"track_total_hits\":5}")),
                      java.util.List.of(bounded),
                      65_536)
                  .total())
          .isEqualTo(5);
      assertThat(none.total()).isEqualTo(-1);
      assertThat(counted.total()).isEqualTo(28);
      assertThat(early.total()).isEqualTo(3);
      assertThat(early.isTerminatedEarly()).isTrue();
      assertThat(scored.total()).isZero();
      assertThatThrownBy(() -> index.run("{\"from\":9991,\"size\":10}"))
          .hasMessageStartingWith(
              "Result window is too large, from + size must be less than or equal to: [10000] but"
                  + " was [10001].");
    }
  }
}
