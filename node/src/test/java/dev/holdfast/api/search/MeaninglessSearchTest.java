package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Members of searches that mean nothing are refused, those that mean something in another form are
/// read, as in Elasticsearch.
final class MeaninglessSearchTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/books",
            """
            {"mappings": {"properties": {
              "t": {"type": "text", "term_vector": "with_positions_offsets"}, "k": {"type": "keyword"},
              "n": {"type": "integer"}, "d": {"type": "date"}, "s": {"type": "sparse_vector"},
              "g": {"type": "geo_point"},
              "v": {"type": "dense_vector", "dims": 3, "similarity": "cosine"}}}}
            """);
    JsonNode _ =
        node.ok(
            "POST",
            "/books/_bulk?refresh=true",
            """
            {"index":{"_id":"1"}}
            {"t":"a book","k":"x","n":1,"d":"2024-01-01","v":[0,1,2],"s":{"a":1},"g":[1,1]}
            {"index":{"_id":"2"}}
            {"t":"another","n":2,"d":"2024-01-02","v":[2,1,0]}
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"query":{"range":{"n":{"gte":1,"format":"banana"}}}}                               | Invalid format: [banana]
          {"query":{"range":{"k":{"gte":"a","format":"nope"}}}}                               | Invalid format: [nope]
          {"query":{"simple_query_string":{"query":"boock~","fuzziness":"AUTO"}}}             | fuzziness
          {"query":{"more_like_this":{"fields":[1],"like":"x"}}}                              | No analyzer configured for field 1
          {"query":{"more_like_this":{"fields":["t"],"like":null}}}                           | 'like'
          {"query":{"more_like_this":{"fields":["t"],"like":[null]}}}                         | 'like'
          {"knn":{"field":"v","query_vector":{"a":1},"k":1,"num_candidates":2}}               | query_vector
          {"knn":{"field":"v","query_vector":5,"k":1,"num_candidates":2}}                     | dimension
          {"knn":{"field":"v","query_vector":"00010203","k":1,"num_candidates":2}}            | dimension
          {"knn":{"field":"v","query_vector":[1,2,3],"k":1,"rescore_vector":"x"}}             | rescore_vector
          {"knn":{"field":"v","query_vector":[1,2,3],"k":1,"rescore_vector":{"x":1}}}         | x
          {"knn":{"field":"v","query_vector":[1,2,3],"k":1,"rescore_vector":{"oversample":0.5}}} | oversample
          {"knn":{"field":"v","query_vector":[1,2,3],"k":1,"visit_percentage":200}}           | visit_percentage
          {"query":{"sparse_vector":{"field":"s","query_vector":{"a":1},"prune":"x"}}}        | [x]
          {"query":{"sparse_vector":{"field":"s","query_vector":{"a":1},"prune":true,"pruning_config":{"tokens_weight_threshold":2}}}} | tokens_weight_threshold
          {"aggs":{"a":{"terms":{"field":"k","missing":{}}}}}                                 | missing
          {"aggs":{"a":{"terms":{"field":"k","missing":{"a":1}}}}}                            | missing
          {"highlight":{"force_source":true,"fields":{"t":{}}}}                               | force_source
          {"highlight":{"options":"x","fields":{"t":{}}}}                                     | options
          {"highlight":{"highlight_filter":"x","fields":{"t":{}}}}                            | [x]
          {"aggs":{"a":{"histogram":{"field":"n","interval":1,"extended_bounds":{"min":-1},"hard_bounds":{"min":0,"max":9}}}}} | hard bounds: [0.0--9.0], extended bounds: [-1.0--null]
          {"aggs":{"a":{"histogram":{"field":"none","interval":1,"extended_bounds":{"max":10},"hard_bounds":{"max":9}}}}} | hard bounds: [null--9.0], extended bounds: [null--10.0]
          {"aggs":{"a":{"date_histogram":{"field":"d","fixed_interval":"1d","extended_bounds":{"min":"2023"},"hard_bounds":{"min":"2024"}}}}} | hard bounds: [2024--], extended bounds: [2023--]
          {"sort":[{"n":{"format":"0.0"}}]}                                                   | require a date_time formatter; got [decimal]
          {"sort":[{"none":{"unmapped_type":"long","format":"yyyy"}}]}                        | require a date_time formatter; got [decimal]
          {"sort":[{"n":{"nested":{"path":"o","max_children":null}}}]}                        | not numeric
          {"query":{"match":{"t":"book"}},"highlight":{"fields":{"t":{"require_field_match":false,"matched_fields":["t"]}}}} | Matched fields are not supported
          {"query":{"match":{"t":"book"}},"highlight":{"fields":{"t":{"type":"plain","fragmenter":""}}}} | unknown fragmenter option [] for the field [t]
          {"query":{"match":{"t":"book"}},"highlight":{"fields":{"t":{"type":"fvh","fragment_size":17}}}} | fragCharSize(17) is too small
          {"knn":{"field":"v","query_vector":[1,2,3],"k":1,"inner_hits":null}}                | inner_hits doesn't support values of type: VALUE_NULL
          {"query":{"more_like_this":{"fields":["t"],"like":"book","boost_terms":-1}}}        | boost must be a positive float, got -1.0
          {"query":{"span_field_masking":{"query":{"span_term":{"t":"a"}},"field":""}}}       | field name is null or empty
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","collate":{"query":{"source":"{}"},"prune":""}}}}}  | prune must be either 'true' or 'false'
          {"query":{"match":{"t":{"query":"a","operator":[]}}}}                               | parsing_exception
          {"query":{"match":{"t":{"query":"a","prefix_length":"x"}}}}                         | number_format_exception
          {"query":{"match":{"t":{"query":"a","prefix_length":[1]}}}}                         | [match] unknown token [START_ARRAY] after [prefix_length]
          {"query":{"match":{"t":{"query":"a","prefix_length":99999999999}}}}                 | x_content_parse_exception
          {"query":{"match":{"t":{"query":"a","lenient":1}}}}                                 | not of boolean type
          {"query":{"match":{"t":{"query":"a","lenient":[]}}}}                                | [match] unknown token [START_ARRAY] after [lenient]
          {"slice":{}}                                                                        | can only be used with
          {"track_total_hits":1000000000000}                                                  | track_total_hits
          {"min_score":.5}                                                                    | Unexpected character
          """)
  void isRefused(String body, String why) throws Exception {
    JsonNode refused = node.refused(400, "POST", "/books/_search", body);

    assertThat(refused.path("error").toString()).contains(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"query":{"range":{"n":{"gte":2,"time_zone":"+01:00","format":"yyyy"}}}}      | /hits/total/value | 1
          {"aggs":{"a":{"percentiles":{"field":"n","percents":"50"}}}}                  | /aggregations/a/values/50.0 | 1.5
          {"aggs":{"a":{"percentile_ranks":{"field":"n","values":"2"}}}}                | /hits/total/value | 2
          {"query":{"more_like_this":{"fields":["t"],"like":"x","unlike":null}}}        | /hits/total/value | 0
          {"query":{"match":{"t":"book"}},"highlight":{"fields":{"t":{"type":"fvh","fragment_size":-1}}}} | /hits/hits/0/highlight/t/0 | a <em>book</em>
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","collate":{"query":{"source":"{}"},"prune":"true"}}}}} | /hits/total/value | 0
          {"knn":[]}                                                                    | /hits/total/value | 2
          {"suggest":{}}                                                                | /hits/total/value | 0
          {"suggest":{"text":"x"}}                                                      | /hits/total/value | 0
          {"suggest":{"text":"x"},"query":{"match_all":{}}}                             | /hits/total/value | 2
          {"query":{"distance_feature":{"field":"none","origin":"now","pivot":"1d"}}}   | /hits/total/value | 0
          {"query":{"geo_bounding_box":{"g":{"top_left":"s00","bottom_right":"s00"}}}}  | /hits/total/value | 1
          {"query":{"geo_bounding_box":{"g":{"top_right":"s00","bottom_left":{"geohash":"s00"}}}}} | /hits/total/value | 1
          {"query":{"geo_bounding_box":{"g":{"top_left":"s","bottom_right":"1,1"}}}}    | /hits/total/value | 1
          {"aggs":{"a":{"histogram":{"field":"n","interval":1,"extended_bounds":{"max":9},"hard_bounds":{"min":0}}}}} | /hits/total/value | 2
          {"query":{"ids":{}}}                                                          | /hits/total/value | 0
          {"knn":{"field":"v","query_vector":"000102","k":1,"num_candidates":2}}        | /hits/hits/0/_id  | 1
          {"knn":{"field":"v","query_vector":[0,1,2],"k":1,"rescore_vector":{"oversample":2}}} | /hits/hits/0/_id | 1
          /* of people */ {"query": {"match_all": {}} /* all */ }                       | /hits/total/value | 2
          """)
  void isRead(String body, String where, String expected) throws Exception {
    JsonNode found = node.ok("POST", "/books/_search", body);

    assertThat(found.at(where).asText()).isEqualTo(expected);
  }

  @Test
  void aPartOfAScrollThatIsNotSaidWholeFailsOnAllShards() throws Exception {
    JsonNode refused =
        node.refused(400, "POST", "/books/_search?scroll=1m", "{\"slice\":{\"id\":0}}");

    assertThat(refused.at("/error/type").asText()).isEqualTo("search_phase_execution_exception");
    assertThat(refused.at("/error/root_cause/0/reason").asText())
        .isEqualTo("max must be greater than 1");
  }

  @Test
  void theQueryIsReadAlsoWhenTheDocumentToExplainIsMissing() throws Exception {
    JsonNode refused =
        node.refused(400, "POST", "/books/_explain/none", "{\"query\":{\"banana\":{}}}");
    JsonNode missing =
        node.refused(404, "POST", "/books/_explain/none", "{\"query\":{\"match_all\":{}}}");

    assertThat(refused.at("/error/reason").asText()).isEqualTo("unknown query [banana]");
    assertThat(missing.path("matched").asBoolean(true)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"query":
          {]
          x
          []
          5
          """)
  void aQueryThatIsNoJsonIsInvalid(String body) throws Exception {
    JsonNode answer = node.ok("POST", "/books/_validate/query?explain=true", body);

    assertThat(answer.path("valid").asBoolean(true)).isFalse();
    assertThat(answer.path("error").asText()).startsWith("org.elasticsearch.common.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          []                                        | {}   | object
          5                                         | {}   | object
          {"ignore_unavailable":"maybe"}            | {}   | maybe
          {"request_cache":"maybe"}                 | {}   | maybe
          {"search_type":5}                         | {}   | No search type for [5]
          {"routing":{"a":1}}                       | {}   | routing
          """)
  void aHeaderThatIsNoneSpoilsAllSearches(String header, String body, String why) throws Exception {
    JsonNode refused =
        node.refused(400, "POST", "/_msearch", "{}\n{}\n" + header + "\n" + body + "\n");

    assertThat(refused.at("/error/reason").asText()).contains(why);
  }

  @Test
  void severalSearchesEndWithALine() throws Exception {
    JsonNode refused = node.refused(400, "POST", "/_msearch", "{}\n{}");

    assertThat(refused.at("/error/reason").asText()).contains("terminated by a newline");
  }
}
