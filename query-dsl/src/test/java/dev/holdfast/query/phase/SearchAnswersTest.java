package dev.holdfast.query.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Answers that differed from Elasticsearch's when both were asked.
final class SearchAnswersTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void fill() throws IOException {
    index =
        new SearchTestIndex(
                """
                {"title":{"type":"text","copy_to":"all"},"all":{"type":"text"},
                 "day":{"type":"date"},"place":{"type":"geo_point"},
                 "tag":{"type":"keyword","ignore_above":6,"null_value":"none"},
                 "plain":{"type":"keyword","index":false},
                 "size":{"type":"integer","ignore_malformed":true},
                 "vector":{"type":"dense_vector","dims":2},
                 "parts":{"type":"nested","properties":{"name":{"type":"text"},
                                                        "count":{"type":"integer"}}}}
                """)
            .add(
                "1",
                """
                {"title":"quick fox","tag":null,"plain":"apple","size":1,"vector":[1,0],"parts":[{"name":"big wheel","count":4}]}\
                """,
                "2",
                """
                {"title":"lazy dog","tag":"much too long","plain":"pear","size":"x","vector":[0,1]}\
                """,
                "3",
                """
                {"title":"quick dog","tag":["a","b"],"plain":"plum","size":3}\
                """);
  }

  @AfterAll
  static void close() throws IOException {
    index.close();
  }

  @Test
  void sortsByTheNameOfTheIndex() throws IOException {
    List<Hit> hits = index.hits("{\"sort\":[{\"_index\":\"desc\"},{\"size\":\"desc\"}]}");

    assertThat(hits).extracting(Hit::id).containsExactly("3", "1", "2");
    assertThat(hits.getFirst().sort().getFirst()).isEqualTo("test");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {"retriever":{"standard":{"query":{"match":{"title":"quick"}},"sort":[{"size":"desc"}]}}} ; 3,1
          {"retriever":{"standard":{"query":{"match":{"title":"quick"}},"filter":{"term":{"size":1}}}}} ; 1
          {"retriever":{"knn":{"field":"vector","query_vector":[0,1],"k":1,"num_candidates":5}}} ; 2
          {"retriever":{"rescorer":{"retriever":{"standard":{"query":{"match":{"title":"quick"}}}},"rescore":{"window_size":5,"query":{"rescore_query":{"term":{"size":3}}}}}}} ; 3,1
          {"retriever":{"rescorer":{"retriever":{"rescorer":{"retriever":{"standard":{"query":{"match":{"title":"quick"}}}},"rescore":{"query":{"rescore_query":{"term":{"size":3}}}}}},"rescore":{"query":{"rescore_query":{"term":{"size":2}}}}}}} ; 3,1
          {"retriever":{"rescorer":{"retriever":{"standard":{"query":{"match_all":{}}}},"rescore":[{"query":{"rescore_query":{"term":{"size":1}}}},{"window_size":2,"query":{"rescore_query":{"term":{"size":1}}}}]}}} ; 1,2
          """)
  void findsWhatRetrieversAskFor(String body, String ids) throws IOException {
    assertThat(String.join(",", index.ids(body))).isEqualTo(ids);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"retriever":{"standard":{}},"query":{"match_all":{}}} | Validation Failed: 1: cannot specify [retriever] and [query];
          {"retriever":{"knn":{"field":"vector","query_vector":[0,1],"num_candidates":5}}} | Required [k]
          {"retriever":{"knn":{"field":"vector","query_vector":[0,1],"k":1,"num_candidates":5,"boost":2}}} | [knn] unknown field [boost]
          {"retriever":{"rescorer":{"retriever":{"standard":{}}}}} | [rescorer] requires [rescore]
          {"query":{"range":{"_index":{"gte":"a"}}}} | failed to create query: Field [_index] of type [_index] does not support range queries
          {"query":{"regexp":{"_index":"t.*"}}} | Can only use regexp queries on keyword, text and wildcard fields - not on [_index] which is of type [_index]
          {"retriever":{"nope":{}}}      | unknown retriever [nope]
          {"query":{"script_score":{}}}  | [script_score] query requires a [query]
          {"query":{"script":{}}}        | script must be provided with a [script] query
          {"aggs":{"a":{"bucket_script":{}}}} | Missing required field [script] for bucket_script aggregation [a]
          {"aggs":{"a":{"bucket_selector":{}}}} | Missing required field [script] for bucket_selector aggregation [a]
          {"query":{"terms_set":{"tag":{"terms":["a"],"minimum_should_match_field":"size","minimum_should_match_script":"1"}}}} | A field has already been specified. Cannot specify both a field and script
          {"script_fields":[]}           | Expected [START_OBJECT] in [script_fields]
          {"query":{"sparse_vector":{"field":"size","query_vector":{"a":1}}}} | field [size] must be type [sparse_vector] but is type [integer]
          {"retriever":{"standard":{"nope":1}}} | [standard] unknown field [nope]
          {"rescore":{"window_size":-1,"query":{"rescore_query":{"match_all":{}}}}} | [window_size] cannot be negative, found [-1]
          {"stored_fields":"_none_","_source":true} | Validation Failed: 1: [stored_fields] cannot be disabled if [_source] is requested;
          {"stored_fields":["_none_"],"_source":true} | Validation Failed: 1: [stored_fields] cannot be disabled if [_source] is requested;
          {"stored_fields":["_none_","title"]} | cannot combine _none_ with other fields
          {"size":0,"sort":["nope"]}     | No mapping found for [nope] in order to sort on
          {"size":0,"track_total_hits":false,"collapse":{"field":"title"}} | collapse is not supported for the field [title] of the type [text]
          {"size":0,"collapse":{"field":"nope"}} | no mapping found for `nope` in order to collapse on
          {"sort":["size"],"search_after":[null]} | [search_after] value at position 0 cannot be null for sort field [size] of type [INT].
          {"query":{"match":{"day":"now+999999999y"}}} | failed to create query: date math [+999999999y] leads to no date
          {"query":{"geo_shape":{"place":{"shape":{"type":"envelope","coordinates":[[1e18,59],[12,45]]}}}}} | failed to create query: invalid longitude 1.0E18; must be between -180.0 and 180.0
          {"suggest":{"s":{"text":"a","phrase":{"field":"title","smoothing":[{}]}}}} | suggester[phrase] doesn't support array field [smoothing]
          {"aggs":{"a":{"terms":{"field":"tag","order":[]}}}} | [terms] failed to parse field [order]
          {"aggs":{"f":{"filter":{"match_all":{}},"aggs":{"a":{"random_sampler":{"probability":1}}}}}} | [random_sampler] aggregation [a] cannot have a parent aggregation
          """)
  void refuses(String body, String reason) {
    assertThatThrownBy(() -> index.run(body)).isInstanceOf(Refusal.class).hasMessage(reason);
  }

  @Test
  void appliesTheBoostOfFunctionsOnce() throws IOException {
    String body =
        """
        {"query":{"function_score":{"query":{"constant_score":{"filter":{"term":{"size":1}}}},
          "functions":[{"weight":2}],"boost_mode":"%s","boost":3}}}\
        """;

    assertThat(index.run(body.formatted("multiply")).maxScore()).isEqualTo(6);
    assertThat(index.run(body.formatted("replace")).maxScore()).isEqualTo(2);
  }

  @Test
  void walksOverTermsOfFieldsThatAreNotIndexed() throws IOException {
    assertThat(index.matching("{\"prefix\":{\"plain\":\"p\"}}")).isEqualTo("2 3");
    assertThat(index.matching("{\"wildcard\":{\"plain\":\"p*m\"}}")).isEqualTo("3");
    assertThat(index.matching("{\"fuzzy\":{\"plain\":\"peas\"}}")).isEqualTo("2");
  }

  @ParameterizedTest
  @CsvSource({"unified", "plain"})
  void marksWordsOfNestedObjects(String type) throws IOException {
    Hit hit =
        index
            .hits(
                """
                {"query":{"nested":{"path":"parts","query":{"match":{"parts.name":"wheel"}}}},
                 "highlight":{"type":"%s","fields":{"parts.name":{}}}}\
                """
                    .formatted(type))
            .getFirst();

    assertThat(hit.highlight()).isEqualTo(Map.of("parts.name", List.of("big <em>wheel</em>")));
  }

  @Test
  void spansOfAFieldThatNothingIsInFindNothing() throws IOException {
    assertThat(
            index.matching(
                """
                {"span_near":{"slop":5,"clauses":[{"span_term":{"nowhere":"a"}},
                  {"span_field_masking":{"field":"nowhere","query":{"span_term":{"title":"dog"}}}}]}}\
                """))
        .isEmpty();
  }

  @Test
  void marksWordsOfIntervalsPlainly() throws IOException {
    Hit hit =
        index
            .hits(
                """
                {"query":{"intervals":{"title":{"match":{"query":"lazy"}}}},
                 "highlight":{"type":"plain","fields":{"title":{}}}}\
                """)
            .getFirst();

    assertThat(hit.highlight()).isEqualTo(Map.of("title", List.of("<em>lazy</em> dog")));
  }

  @Test
  void fieldsHaveNullsAndCopiesAndSayWhatTheyIgnored() throws IOException {
    List<Hit> hits = index.hits("{\"sort\":[\"_doc\"],\"fields\":[\"all\",\"tag\",\"size\"]}");

    assertThat(hits.get(0).fields())
        .isEqualTo(
            Map.of("all", List.of("quick fox"), "tag", List.of("none"), "size", List.of(1L)));
    assertThat(hits.get(1).fields()).isEqualTo(Map.of("all", List.of("lazy dog")));
    assertThat(hits.get(1).ignoredValues()).hasToString("{tag=[\"much too long\"], size=[\"x\"]}");
  }

  @Test
  void showsVectorsAmongDocValues() throws IOException {
    Hit hit = index.hits("{\"sort\":[\"_doc\"],\"docvalue_fields\":[\"vector\"]}").getFirst();

    assertThat(hit.fields()).isEqualTo(Map.of("vector", List.of(Json.parse("[1,0]"))));
  }

  @Test
  void groupsByOneValueOfThoseThatCompete() throws IOException {
    String body = "{\"collapse\":{\"field\":\"tag\"},\"size\":%d,\"sort\":[\"_doc\"]}";

    assertThat(index.ids(body.formatted(1))).containsExactly("1");
    assertThatThrownBy(() -> index.run(body.formatted(5)))
        .hasMessageContaining("the grouping field must be single valued");
  }
}
