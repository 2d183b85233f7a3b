package dev.holdfast.query.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Members of a search that nobody knows, or whose values are of another kind than they may be:
/// what Elasticsearch refuses was once taken here, and meant nothing or something else.
final class OtherKindsTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void fill() throws IOException {
    index =
        new SearchTestIndex(
                """
                {"title":{"type":"text"},"tag":{"type":"keyword"},"size":{"type":"integer"},
                 "day":{"type":"date"},"place":{"type":"geo_point"},"ip":{"type":"ip"},
                 "vector":{"type":"dense_vector","dims":2}}
                """)
            .add(
                "1",
                """
                {"title":"quick fox","tag":"a","size":1,"day":"2020-05-01","place":[1,2],"vector":[1,0]}\
                """);
  }

  @AfterAll
  static void close() throws IOException {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"suggest":{"s":{"text":"a","term":{"field":"title"},"banana":1}}} | suggestion does not support [banana]
          {"suggest":{"s":{"text":"a","term":{"field":"title","size":null}}}} | after [size]
          {"suggest":{"text":null}} | after [text]
          {"suggest":{"s":{"text":"a","phrase":{"field":"title","smoothing":{"laplace":{},"banana":1}}}}} | [smoothing] takes one model
          {"suggest":{"s":{"text":"a","phrase":{"field":"title","smoothing":5}}}} | doesn't support field [smoothing]
          {"suggest":{"s":{"text":"a","phrase":{"field":"title","highlight":{"banana":1}}}}} | [highlight] doesn't support field [banana]
          {"suggest":{"s":{"text":"a","phrase":{"field":"title","highlight":{"pre_tag":"<"}}}}} | must both be null
          {"suggest":{"s":{"text":"a","phrase":{"field":"title","highlight":5}}}} | doesn't support field [highlight]
          {"suggest":{"s":{"text":"a","phrase":{"field":"title","direct_generator":{}}}}} | doesn't support array field [direct_generator]
          {"suggest":{"s":{"text":"a","phrase":{"field":"title","direct_generator":[{"field":5}]}}}} | field doesn't support values of type: VALUE_NUMBER
          {"highlight":{"pre_tags":5,"fields":{"title":{}}}} | pre_tags doesn't support values of type: VALUE_NUMBER
          {"highlight":{"order":null,"fields":{"title":{}}}} | order doesn't support values of type: VALUE_NULL
          {"collapse":{"field":"tag","inner_hits":{"name":5}}} | name doesn't support values of type: VALUE_NUMBER
          {"rescore":{"query":{"rescore_query":{"match_all":{}},"score_mode":null}}} | score_mode doesn't support values of type: VALUE_NULL
          {"sort":[{"size":{"order":null}}]} | order doesn't support values of type: VALUE_NULL
          {"fields":[{"field":[]}]} | field doesn't support values of type: START_ARRAY
          {"_source":{"excludes":[1]}} | in [excludes]
          {"_source":[["a"]]} | Expected text
          {"stored_fields":[["a"]]} | expected text
          {"indices_boost":{"a":1}} | in [indices_boost]
          {"query":{"combined_fields":{"query":5,"fields":["title"]}}} | query doesn't support values of type: VALUE_NUMBER
          {"query":{"multi_match":{"query":["a"],"fields":["title"]}}} | after [query]
          {"query":{"multi_match":{"query":"a","fields":[null]}}} | Expected text
          {"query":{"simple_query_string":{"query":"a","flags":[]}}} | does not support [flags]
          {"query":{"terms":{"tag":[["a"]]}}} | after [tag]
          {"query":{"terms_set":{"tag":{"terms":[null],"minimum_should_match":1}}}} | after [terms]
          {"query":{"intervals":{"title":{"match":{"query":5}}}}} | query doesn't support values of type: VALUE_NUMBER
          {"query":{"intervals":{"title":{"all_of":{"ordered":null,"intervals":[{"match":{"query":"a"}}]}}}}} | ordered doesn't support values of type: VALUE_NULL
          {"query":{"geo_distance":{"distance":"1km","place":["1","2"]}}} | numeric value expected
          {"query":{"geo_bounding_box":{"place":{"top":1,"left":null,"bottom":0,"right":1}}}} | [left] is missing
          {"query":{"function_score":{"functions":[{"filter":{"match_all":{}},"weight":null}]}}} | missing a function
          {"query":{"distance_feature":{"field":"day","origin":"now","pivot":7}}} | pivot doesn't support values of type: VALUE_NUMBER
          {"query":{"knn":{"field":"vector","query_vector":[1,0],"similarity":"x"}}} | similarity
          {"query":{"more_like_this":{"fields":["title"],"like":null}}} | requires 'like'
          {"query":{"function_score":{"gauss":{"size":{"origin":null,"scale":"5"}}}}} | [origin] must be a value
          {"query":{"function_score":{"gauss":{"size":{"origin":true,"scale":"5"}}}}} | For input string
          {"query":{"function_score":{"field_value_factor":{"field":"size","missing":"x"}}}} | missing
          {"aggs":{"a":{"range":{"field":"size","ranges":[{"key":null}]}}}} | key doesn't support values of type: VALUE_NULL
          {"aggs":{"a":{"ip_range":{"field":"ip","ranges":[{"mask":null}]}}}} | mask doesn't support values of type: VALUE_NULL
          {"aggs":{"a":{"filters":{"other_bucket":"true","filters":[{"match_all":{}}]}}}} | [other_bucket]
          {"aggs":{"a":{"geohash_grid":{"field":"place","bounds":{"top_left":[0,1],"bottom_right":[1,0],"banana":1}}}}} | unexpected field [banana]
          {"aggs":{"a":{"geo_distance":{"field":"place","origin":{"lat":"1","lon":2},"ranges":[{"to":1}]}}}} | failed to parse field [origin]
          {"aggs":{"a":{"percentiles":{"field":"size","percents":[5,5]}}}} | Failed to build [percentiles]
          {"aggs":{"a":{"date_histogram":{"field":"day","calendar_interval":"year","hard_bounds":{"min":7,"max":3}}}}} | [hard_bounds.min][7] cannot be greater than [hard_bounds.max][3]
          {"aggs":{"a":{"date_range":{"field":"day","format":"yyyy-MM-dd","ranges":[{"to":7}]}}}} | failed to parse date field [7]
          {"aggs":{"a":{"composite":{"sources":[{"t":{"terms":{"field":5}}}]}}}} | field doesn't support values of type: VALUE_NUMBER
          {"aggs":{"a":{"composite":{"sources":[{"t":{"terms":{"field":"tag"}}}],"after":{"t":5}}}}} | Could not parse [after.t]
          {"aggs":{"a":{"composite":{"sources":[{"t":{"terms":{"field":"tag"}}}],"after":{"t":null}}}}} | Could not parse [after.t]
          """)
  void areRefused(String body, String reason) {
    assertThatThrownBy(() -> index.run(body))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"query":{"combined_fields":{"query":"quick","fields":"title","minimum_should_match":1}}} | 1
          {"query":{"knn":{"field":"vector","query_vector":["1","0"]}}} | 1
          """)
  void meanSomething(String body, String ids) throws IOException {
    assertThat(String.join(",", index.ids(body))).isEqualTo(ids);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":{"date_range":{"field":"day","format":"yyyy","ranges":[{"to":2021}]}}} | /a/buckets/0/doc_count | 1
          {"a":{"percentiles":{"field":"size","percents":50}}} | /a/values/50.0 | 1.0
          """)
  void aggregateWhatNumbersMean(String aggregations, String place, String value)
      throws IOException {
    String body = "{\"size\":0,\"aggs\":" + aggregations + "}";
    SearchMerge merged =
        SearchMerge.of(
            SearchParser.parse(Json.parseObject(body)),
            List.of(index.run(body)),
            65_536,
            Reservation.ofHeap());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
      out.writeStartObject();
      merged.aggregations().render(out, false);
      out.writeEndObject();
    }

    assertThat(Json.parse(bytes.toByteArray()).at(place).asText()).isEqualTo(value);
  }
}
