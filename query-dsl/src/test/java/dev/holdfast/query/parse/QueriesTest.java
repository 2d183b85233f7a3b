package dev.holdfast.query.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QueriesTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void fill() throws IOException {
    index =
        new SearchTestIndex(
                """
                {"title":{"type":"text","fields":{"raw":{"type":"keyword"}}},
                 "body":{"type":"text"},
                 "tag":{"type":"keyword"},
                 "size":{"type":"integer"},
                 "price":{"type":"double"},
                 "day":{"type":"date"},
                 "hot":{"type":"boolean"},

                 "user":{"properties":{"name":{"type":"keyword"},"age":{"type":"long"}}}}
                """)
            .add(
                "1",
                """
                {"title":"Quick brown fox","body":"jumps over the lazy dog","tag":"red","size":1,
                 "price":1.5,"day":"2024-01-01","hot":true}\
                """,
                "2",
                """
                {"title":"Lazy brown dog","body":"sleeps all day","tag":["Blue","red"],"size":2,
                 "price":2.5,"day":"2024-02-01T12:00:00Z","user":{"name":"ann","age":30}}\
                """)
            .add(
                "3",
                """
                {"title":"Quick search engine","body":"finds the fox quickly","tag":"green",
                 "size":3,"hot":false}\
                """,
                "4",
                """
                {"title":"brown quick","tag":"redder","size":-4,"user":{"age":40}}\
                """);
  }

  @AfterAll
  static void close() throws IOException {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {"match_all":{}} ; 1 2 3 4
          {"match_none":{}} ; ``
          {"match":{"title":"quick"}} ; 1 3 4
          {"match":{"title":"quick brown"}} ; 1 2 3 4
          {"match":{"title":{"query":"quick brown","operator":"and"}}} ; 1 4
          {"match":{"title":{"query":"quick brown fox","minimum_should_match":2}}} ; 1 4
          {"match":{"title":{"query":"quick brown fox","minimum_should_match":"67%"}}} ; 1 4
          {"match":{"title":{"query":"quik","fuzziness":"AUTO"}}} ; 1 3 4
          {"match":{"title":{"query":"quik","fuzziness":0}}} ; ``
          {"match":{"title":{"query":"!!","zero_terms_query":"all"}}} ; 1 2 3 4
          {"match":{"title":"!!"}} ; ``
          {"match":{"tag":"red"}} ; 1 2
          {"match":{"size":2}} ; 2
          {"match":{"size":"3"}} ; 3
          {"match":{"size":{"query":"x","lenient":true}}} ; ``
          {"match":{"nothing":"x"}} ; ``
          {"match":{"hot":true}} ; 1
          {"match_phrase":{"title":"quick brown"}} ; 1
          {"match_phrase":{"title":{"query":"quick brown","slop":2}}} ; 1 4
          {"match_phrase":{"tag":"red"}} ; 1 2
          {"match_phrase_prefix":{"title":"quick br"}} ; 1
          {"match_phrase_prefix":{"title":"qui"}} ; 1 3 4
          {"match_bool_prefix":{"title":"dog sea"}} ; 2 3
          {"multi_match":{"query":"fox","fields":["title","body"]}} ; 1 3
          {"multi_match":{"query":"fox","fields":["ti*^3","body"]}} ; 1 3
          {"multi_match":{"query":"lazy fox","type":"cross_fields","operator":"and","fields":["title","body"]}} ; 1
          {"multi_match":{"query":"lazy dog","type":"phrase","fields":["title","body"]}} ; 1
          {"multi_match":{"query":"lazy d","type":"phrase_prefix","fields":["title","body"]}} ; 1
          {"multi_match":{"query":"engi","type":"bool_prefix","fields":["title","body"]}} ; 3
          {"multi_match":{"query":"2"}} ; 2
          {"term":{"tag":"red"}} ; 1 2
          {"term":{"tag":{"value":"RED","case_insensitive":true}}} ; 1 2
          {"term":{"tag":{"value":"red","boost":2}}} ; 1 2
          {"term":{"title":"Quick"}} ; ``
          {"term":{"title.raw":"Quick brown fox"}} ; 1
          {"term":{"size":-4}} ; 4
          {"term":{"price":2.5}} ; 2
          {"term":{"hot":"false"}} ; 3
          {"term":{"_id":"3"}} ; 3
          {"term":{"_index":"test"}} ; 1 2 3 4
          {"term":{"_index":"other"}} ; ``
          {"terms":{"tag":["green","Blue"]}} ; 2 3
          {"terms":{"size":[1,3,99]}} ; 1 3
          {"terms":{"tag":[]}} ; ``
          {"range":{"size":{"gte":2}}} ; 2 3
          {"range":{"size":{"gt":2}}} ; 3
          {"range":{"size":{"from":1,"to":2,"include_upper":false}}} ; 1
          {"range":{"price":{"lt":2}}} ; 1
          {"range":{"day":{"gte":"2024-02-01"}}} ; 2
          {"range":{"day":{"lte":"2024-01-01||/d"}}} ; 1
          {"range":{"day":{"gte":"01/02/2024","format":"dd/MM/yyyy"}}} ; 2
          {"range":{"tag":{"gte":"green","lt":"redder"}}} ; 1 2 3
          {"range":{"nothing":{"gte":1}}} ; ``
          {"exists":{"field":"price"}} ; 1 2
          {"exists":{"field":"body"}} ; 1 2 3
          {"exists":{"field":"user"}} ; 2 4
          {"exists":{"field":"user.name"}} ; 2
          {"exists":{"field":"nothing"}} ; ``
          {"ids":{"values":["4","1","9"]}} ; 1 4
          {"prefix":{"tag":"red"}} ; 1 2 4
          {"prefix":{"tag":{"value":"RED","case_insensitive":true}}} ; 1 2 4
          {"wildcard":{"tag":"*e*"}} ; 1 2 3 4
          {"wildcard":{"tag":{"value":"b?UE","case_insensitive":true}}} ; 2
          {"wildcard":{"title":"QUI*"}} ; 1 3 4
          {"regexp":{"tag":"(red|green)"}} ; 1 2 3
          {"regexp":{"tag":{"value":"BLU.","case_insensitive":true}}} ; 2
          {"fuzzy":{"tag":"rad"}} ; 1 2
          {"fuzzy":{"tag":{"value":"grren","fuzziness":1}}} ; 3
          {"bool":{}} ; 1 2 3 4
          {"bool":{"must":{"match":{"title":"brown"}},"must_not":[{"term":{"tag":"red"}}]}} ; 4
          {"bool":{"filter":[{"term":{"tag":"red"}},{"range":{"size":{"lt":2}}}]}} ; 1
          {"bool":{"must_not":{"term":{"tag":"red"}}}} ; 3 4
          {"bool":{"should":[{"term":{"size":1}},{"term":{"size":2}}]}} ; 1 2
          {"bool":{"filter":{"match_all":{}},"should":[{"term":{"size":1}}]}} ; 1 2 3 4
          {"bool":{"should":[{"term":{"size":1}},{"term":{"tag":"red"}}],"minimum_should_match":2}} ; 1
          {"constant_score":{"filter":{"term":{"tag":"red"}},"boost":3}} ; 1 2
          {"dis_max":{"queries":[{"term":{"size":1}},{"term":{"size":3}}]}} ; 1 3
          {"boosting":{"positive":{"match":{"title":"quick"}},"negative":{"term":{"tag":"red"}},"negative_boost":0.2}} ; 1 3 4
          """)
  void findsWhatElasticsearchFinds(String query, String ids) throws IOException {
    assertThat(index.matching(query)).isEqualTo(ids);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {"boool":{}} ; parsing_exception ; unknown query [boool] did you mean [bool]?
          {} ; illegal_argument_exception ; query malformed, empty clause found
          {"term":{"a":1},"match":{}} ; parsing_exception ; [term] malformed query, expected [END_OBJECT] but found [FIELD_NAME]
          {"term":[]} ; parsing_exception ; [term] query malformed, no start_object after query name
          {"match":{"a":"x","b":"y"}} ; parsing_exception ; [match] query doesn't support multiple fields, found [a] and [b]
          {"match":{"a":"x","boost":2}} ; parsing_exception ; [match] query doesn't support multiple fields, found [a] and [boost]
          {"term":{"a":{"value":1},"_name":"n"}} ; parsing_exception ; [term] query doesn't support multiple fields, found [a] and [_name]
          {"term":{"a":{"value":1,"x":2}}} ; parsing_exception ; [term] query does not support [x]
          {"term":{"a":[1]}} ; parsing_exception ; [term] query does not support array of values
          {"term":{"a":{"value":null}}} ; illegal_argument_exception ; value cannot be null
          {"bool":{"musst":[]}} ; x_content_parse_exception ; [bool] unknown field [musst] did you mean [must]?
          {"terms":{"a":"x"}} ; parsing_exception ; [terms] query does not support [a]
          {"match_all":{"boost":-1}} ; illegal_argument_exception ; negative [boost] are not allowed in [{"boost":-1}], use a value between 0 and 1 to deboost
          {"prefix":{"size":"1"}} ; query_shard_exception ; Can only use prefix queries on keyword, text and wildcard fields - not on [size] which is of type [integer]
          {"match":{"a":{"query":"x","minimum_should_match":"x"}}} ; number_format_exception ; For input string: "x" in minimum_should_match
          """)
  void refusesWhatElasticsearchRefuses(String query, String type, String reason) {
    assertThatThrownBy(() -> index.matching(query))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.reason()).isEqualTo(reason);
              assertThat(refusal.type().type()).isEqualTo(type);
            });
  }

  @Test
  void refusesQueriesThatNestTooDeep() throws IOException {
    String nested = "{\"bool\":{\"must\":".repeat(29) + "{\"match_all\":{}}" + "}}".repeat(29);
    String tooDeep = "{\"bool\":{\"must\":" + nested + "}}";

    assertThat(index.matching(nested)).isEqualTo("1 2 3 4");
    assertThatThrownBy(() -> Queries.parse(Json.parse(tooDeep)))
        .hasMessageContaining("indices.query.bool.max_nested_depth");
  }

  @Test
  void tellsWhichNamedQueriesMatched() throws IOException {
    var hits =
        index.hits(
            """
            {"sort":["_doc"],"query":{"bool":{"should":[
              {"match":{"title":{"query":"quick","_name":"q"}}},
              {"term":{"tag":{"value":"red","_name":"r"}}}]}}}\
            """);

    assertThat(hits)
        .extracting(hit -> List.copyOf(hit.matchedQueries().keySet()))
        .containsExactly(
            java.util.List.of("q", "r"),
            java.util.List.of("r"),
            java.util.List.of("q"),
            java.util.List.of("q"));
  }
}
