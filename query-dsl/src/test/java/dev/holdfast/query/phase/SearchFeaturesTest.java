package dev.holdfast.query.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.InnerHits;
import dev.holdfast.query.suggest.Suggester;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SearchFeaturesTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void fill() throws IOException {
    index =
        new SearchTestIndex(
                """
                {"title":{"type":"text","term_vector":"with_positions_offsets"},"body":{"type":"text"},
                 "tag":{"type":"keyword"},"size":{"type":"integer"},"day":{"type":"date"},
                 "place":{"type":"geo_point"},
                 "parts":{"type":"nested","properties":{"name":{"type":"keyword"},
                                                        "count":{"type":"integer"}}}}
                """)
            .add(
                "1",
                """
                {"title":"quick brown fox","body":"jumps over the lazy dog. It sleeps.","tag":"red",
                 "size":1,"day":"2024-01-01","place":"52.5,13.4",
                 "parts":[{"name":"wheel","count":4},{"name":"door","count":2}]}\
                """,
                "2",
                """
                {"title":"lazy brown dog","body":"sleeps all day","tag":"red","size":2,
                 "day":"2024-02-01","place":"48.1,11.6","parts":{"name":"wheel","count":2}}\
                """)
            .add(
                "3",
                """
                {"title":"quick search engine","body":"finds the quick fox quickly","tag":"green",
                 "size":3,"day":"2024-03-01","place":"40.7,-74.0"}\
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
          {"query_string":{"query":"title:(quick OR lazy) AND -tag:green"}} ; 1 2
          {"query_string":{"query":"size:>1 AND day:[2024-01-15 TO *]"}} ; 2 3
          {"query_string":{"query":"qui* -engine","fields":["title^2","body"]}} ; 1
          {"query_string":{"query":"quikc~ AND \\"brown fox\\""}} ; 1
          {"query_string":{"query":"/la.y/","default_field":"title"}} ; 2
          {"query_string":{"query":"size:oops quick","lenient":true}} ; 1 3
          {"query_string":{"query":"quick fox","fields":["title","body"],"default_operator":"AND","minimum_should_match":3}} ; 1 3
          {"simple_query_string":{"query":"quick fox","fields":["title^2"],"flags":"NONE","default_operator":"AND","minimum_should_match":3}} ; 1
          {"simple_query_string":{"query":"\\"brown fox\\" | engine","fields":["title"]}} ; 1 3
          {"simple_query_string":{"query":"brown + -lazy","fields":["title"],"default_operator":"and"}} ; 1
          {"combined_fields":{"query":"quick fox","fields":["title","body"],"operator":"and"}} ; 1 3
          {"intervals":{"title":{"match":{"query":"quick fox","max_gaps":1,"ordered":true}}}} ; 1
          {"intervals":{"title":{"any_of":{"intervals":[{"prefix":{"prefix":"eng"}},{"fuzzy":{"term":"dogg"}}]}}}} ; 2 3
          {"more_like_this":{"fields":["title"],"like":"quick fox","min_term_freq":1,"min_doc_freq":1}} ; 1 3
          {"more_like_this":{"fields":["tag"],"like":{"doc":{"tag":"RED fish"},"per_field_analyzer":{"tag":"standard"}},"min_term_freq":1,"min_doc_freq":1}} ; 1 2
          {"terms_set":{"tag":{"terms":["red","green"],"minimum_should_match_field":"size"}}} ; 1
          {"geo_distance":{"distance":"600km","place":{"lat":52.5,"lon":13.4}}} ; 1 2
          {"geo_bounding_box":{"place":{"top_left":[10,60],"bottom_right":[15,40]}}} ; 1 2
          {"geo_polygon":{"place":{"points":[[10,60],[15,60],[15,50],[10,50]]}}} ; 1
          {"geo_shape":{"place":{"shape":{"type":"envelope","coordinates":[[-80,50],[-70,30]]}}}} ; 3
          {"span_near":{"clauses":[{"span_term":{"title":"quick"}},{"span_multi":{"match":{"prefix":{"title":"fo"}}}}],"slop":1}} ; 1
          {"span_not":{"include":{"span_term":{"title":"brown"}},"exclude":{"span_term":{"title":"fox"}},"dist":1}} ; 2
          {"wrapper":{"query":"eyJ0ZXJtIjp7InRhZyI6InJlZCJ9fQ=="}} ; 1 2
          {"nested":{"path":"parts","query":{"bool":{"must":[{"term":{"parts.name":"wheel"}},{"term":{"parts.count":2}}]}}}} ; 2
          {"function_score":{"query":{"match_all":{}},"field_value_factor":{"field":"size"},"min_score":2}} ; 2 3
          """)
  void findsWhatQueriesAskFor(String query, String ids) throws IOException {
    assertThat(index.matching(query)).isEqualTo(ids);
  }

  @Test
  void scoresByFunctions() throws IOException {
    assertThat(
            index.ids(
                """
                {"query":{"function_score":{"gauss":{"day":{"origin":"2024-02-02","scale":"10d"}}}}}\
                """))
        .containsExactly("2", "3", "1");
    assertThat(
            index.ids(
                """
                {"query":{"distance_feature":{"field":"place","origin":[11,48],"pivot":"100km"}}}\
                """))
        .containsExactly("2", "1", "3");
    assertThat(
            index.ids(
                """
                {"query":{"pinned":{"ids":["3","1"],"organic":{"match":{"title":"brown"}}}}}\
                """))
        .containsExactly("3", "1", "2");
  }

  @ParameterizedTest
  @CsvSource({"unified", "plain", "fvh"})
  void marksWhatMatched(String type) throws IOException {
    List<Hit> hits =
        index.hits(
            """
            {"query":{"match":{"title":"fox"}},
             "highlight":{"type":"%s","fields":{"title":{}}}}\
            """
                .formatted(type));

    assertThat(hits.getFirst().highlight())
        .isEqualTo(Map.of("title", List.of("quick brown <em>fox</em>")));
  }

  @Test
  void cutsHighlightsBetweenSentences() throws IOException {
    List<Hit> hits =
        index.hits(
            """
            {"query":{"match":{"body":"dog sleeps"}},"sort":["size"],
             "highlight":{"fragment_size":20,"pre_tags":["<b>"],"post_tags":["</b>"],
                          "fields":{"bo*":{}}}}\
            """);

    assertThat(hits.getFirst().highlight().get("body"))
        .containsExactly("jumps over the lazy <b>dog</b>", "It <b>sleeps</b>.");
  }

  @Test
  void tagsThatAreNoneAreRefused() {
    assertThatThrownBy(() ->
            index.hits(
                "{\"highlight\":{\"pre_tags\":[\"<b>\"],\"post_tags\":null,\"fields\":{\"body\":{}}}}"))
        .isInstanceOf(Refusal.class)
        .hasMessage("[highlight] post_tags doesn't support values of type: VALUE_NULL");
  }

  @Test
  void showsTheBestHitOfEachGroup() throws IOException {
    String body = "{\"collapse\":{\"field\":\"tag\"},\"sort\":[{\"size\":\"desc\"}]}";

    assertThat(index.ids(body)).containsExactly("3", "2");
    assertThat(index.run(body).total()).isEqualTo(3);
    assertThat(index.hits(body).getFirst().fields()).containsEntry("tag", List.of("green"));
  }

  @Test
  void scoresTheBestHitsOnceMore() throws IOException {
    assertThat(
            index.ids(
                """
                {"query":{"match":{"title":"brown"}},
                 "rescore":{"window_size":2,"query":{"rescore_query":{"match":{"title":"dog"}}}}}\
                """))
        .containsExactly("2", "1");
    assertThatThrownBy(() ->
            index.run(
                """
                {"sort":["size"],
                 "rescore":{"query":{"rescore_query":{"match_all":{}}}}}\
                """))
        .isInstanceOf(Refusal.class)
        .hasMessage("Cannot use [sort] option in conjunction with [rescore].");
  }

  @Test
  void suggestsWordsAndPhrases() throws IOException {
    Map<String, List<Suggester.Entry>> suggested =
        index
            .run(
                """
                {"size":0,"suggest":{"text":"quikc browm",
                  "words":{"term":{"field":"title"}},
                  "texts":{"phrase":{"field":"title","max_errors":2}}}}\
                """)
            .suggestions();

    assertThat(suggested.get("words"))
        .extracting(entry -> entry.options().getFirst().text())
        .containsExactly("quick", "brown");
    assertThat(suggested.get("texts").getFirst().options().getFirst().text())
        .isEqualTo("quick brown");
  }

  @Test
  void showsNestedObjectsInsideTheirHits() throws IOException {
    List<Hit> hits =
        index.hits(
            """
            {"sort":["size"],"query":{"nested":{"path":"parts","inner_hits":{},
              "query":{"range":{"parts.count":{"lte":2}}}}}}\
            """);

    InnerHits inner = hits.getFirst().innerHits().get("parts");
    assertThat(inner.total()).isEqualTo(1);
    assertThat(inner.hits().getFirst().nested()).hasToString("{\"field\":\"parts\",\"offset\":1}");
    assertThat(
            new String(inner.hits().getFirst().source(), java.nio.charset.StandardCharsets.UTF_8))
        .isEqualTo("{\"name\":\"door\",\"count\":2}");
  }

  @Test
  void showsFieldsInAskedFormats() throws IOException {
    Hit hit =
        index
            .hits(
                """
                {"query":{"ids":{"values":["1"]}},"_source":false,
                 "fields":["tag",{"field":"day","format":"yyyy/MM/dd"}]}\
                """)
            .getFirst();

    assertThat(hit.source()).isNull();
    assertThat(hit.fields())
        .containsEntry("tag", List.of("red"))
        .containsEntry("day", List.of("2024/01/01"));
  }
}
