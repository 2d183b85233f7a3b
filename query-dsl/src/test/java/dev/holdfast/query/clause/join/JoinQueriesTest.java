package dev.holdfast.query.clause.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Queries over parents and their children.
final class JoinQueriesTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void fill() throws IOException {
    // given questions q1 to q3, two answers to the first and one to the second, in two segments
    index =
        new SearchTestIndex(
                """
                {"join":{"type":"join","relations":{"question":"answer"}},
                 "tag":{"type":"keyword"},"stars":{"type":"integer"}}\
                """)
            .routed(
                "r",
                "q1",
                "{\"join\":\"question\",\"tag\":\"x\"}",
                "a1",
                "{\"join\":{\"name\":\"answer\",\"parent\":\"q1\"},\"stars\":1}",
                "q2",
                "{\"join\":\"question\",\"tag\":\"y\"}")
            .routed(
                "r",
                "a2",
                "{\"join\":{\"name\":\"answer\",\"parent\":\"q1\"},\"stars\":5}",
                "a3",
                "{\"join\":{\"name\":\"answer\",\"parent\":\"q2\"},\"stars\":5}",
                "q3",
                "{\"join\":\"question\",\"tag\":\"x\"}");
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
          {"has_child":{"type":"answer","query":{"match_all":{}}}} ; q1 q2
          {"has_child":{"type":"answer","query":{"term":{"stars":1}}}} ; q1
          {"has_child":{"type":"answer","query":{"match_all":{}},"min_children":2}} ; q1
          {"has_child":{"type":"answer","query":{"match_all":{}},"max_children":1}} ; q2
          {"has_parent":{"parent_type":"question","query":{"term":{"tag":"x"}}}} ; a1 a2
          {"has_parent":{"parent_type":"question","query":{"match_none":{}}}} ; ``
          {"parent_id":{"type":"answer","id":"q2"}} ; a3
          {"parent_id":{"type":"answer","id":"q3"}} ; ``
          {"has_child":{"type":"comment","query":{"match_all":{}},"ignore_unmapped":true}} ; ``
          """)
  void findsOverSegments(String query, String ids) throws IOException {
    assertThat(index.matching(query)).isEqualTo(ids);
  }

  @Test
  void scoresParentsByTheirChildren() throws IOException {
    List<Hit> hits =
        index.hits(
            """
            {"query":{"has_child":{"type":"answer","score_mode":"sum","query":
              {"function_score":{"boost_mode":"replace","field_value_factor":{"field":"stars"}}}}}}\
            """);

    assertThat(hits).extracting(Hit::id).containsExactly("q1", "q2");
    assertThat(hits).extracting(Hit::score).containsExactly(6f, 5f);
  }

  @Test
  void showsChildrenInsideOfTheirParents() throws IOException {
    List<Hit> hits =
        index.hits(
            """
            {"query":{"has_child":{"type":"answer","query":{"term":{"stars":5}},
              "inner_hits":{"name":"best","size":1}}},"sort":"_doc"}\
            """);

    assertThat(hits).extracting(Hit::id).containsExactly("q1", "q2");
    assertThat(hits.get(0).innerHits().get("best").hits())
        .extracting(Hit::id)
        .containsExactly("a2");
    assertThat(hits.get(1).innerHits().get("best").hits())
        .extracting(Hit::id)
        .containsExactly("a3");
  }

  @Test
  void refusesKindsThatNobodyJoins() {
    assertThatThrownBy(() ->
            index.matching("{\"has_child\":{\"type\":\"comment\",\"query\":{\"match_all\":{}}}}"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("[has_child]");
  }
}
