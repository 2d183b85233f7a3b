package dev.holdfast.query.clause.span;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Queries about where in a field terms are.
final class SpanQueriesTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void fill() throws IOException {
    index =
        new SearchTestIndex(
                "{\"title\":{\"type\":\"text\"},\"stems\":{\"type\":\"text\"},"
                    + "\"key\":{\"type\":\"keyword\"},\"only\":{\"type\":\"match_only_text\"}}")
            .add(
                "1", "{\"title\":\"quick brown fox\",\"stems\":\"quick brown fox\"}",
                "2", "{\"title\":\"quick lazy brown dog fox\",\"stems\":\"quick laze brown\"}")
            .add(
                "3", "{\"title\":\"fox quick\",\"key\":\"fox\",\"only\":\"fox quick\"}",
                "4", "{\"title\":\"the brown dog\"}");
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
          {"span_or":{"clauses":[{"span_term":{"title":"lazy"}},{"span_term":{"title":"the"}}]}} ; 2 4
          {"span_first":{"match":{"span_term":{"title":"quick"}},"end":1}} ; 1 2
          {"span_first":{"match":{"span_term":{"title":"quick"}},"end":2}} ; 1 2 3
          {"span_near":{"clauses":[{"span_term":{"title":"quick"}},{"span_term":{"title":"fox"}}],"slop":0,"in_order":false}} ; 3
          {"span_near":{"clauses":[{"span_term":{"title":"quick"}},{"span_term":{"title":"fox"}}],"slop":3,"in_order":true}} ; 1 2
          {"span_containing":{"big":{"span_near":{"clauses":[{"span_term":{"title":"quick"}},{"span_term":{"title":"fox"}}],"slop":3,"in_order":true}},"little":{"span_term":{"title":"dog"}}}} ; 2
          {"span_within":{"big":{"span_near":{"clauses":[{"span_term":{"title":"quick"}},{"span_term":{"title":"fox"}}],"slop":3,"in_order":true}},"little":{"span_term":{"title":"brown"}}}} ; 1 2
          {"span_multi":{"match":{"prefix":{"only":"qu"}}}} ; 3
          {"span_within":{"big":{"span_term":{"title":"dog"}},"little":{"span_term":{"title":"fox"}}}} ; ``
          {"span_near":{"clauses":[{"span_term":{"title":"lazy"}},{"field_masking_span":{"query":{"span_term":{"stems":"brown"}},"field":"title"}}],"slop":0,"in_order":true}} ; 2
          {"span_near":{"clauses":[{"span_term":{"title":"lazy"}},{"span_field_masking":{"query":{"span_term":{"stems":"quick"}},"field":"title"}}],"slop":0,"in_order":true}} ; ``
          """)
  void findsByPlaces(String query, String ids) throws IOException {
    assertThat(index.matching(query)).isEqualTo(ids);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {"span_or":{"clauses":[]}} ; [span_or] must include [clauses]
          {"span_or":{"clauses":[{"term":{"title":"a"}}]}} ; [span_or] [clauses] must be of type span query
          {"span_first":{"match":{"span_term":{"title":"a"}}}} ; [span_first] must have [end] set
          {"span_within":{"big":{"span_term":{"title":"a"}}}} ; [span_within] must have [little] span query clause
          {"span_containing":{"little":{"span_term":{"title":"a"}}}} ; [span_containing] must have [big] span query clause
          {"field_masking_span":{"query":{"span_term":{"title":"a"}}}} ; [field_masking_span] must have [field] set for it
          {"span_term":{"key":"fox"}} ; field:[key] was indexed without position data
          {"span_multi":{"match":{"prefix":{"key":"fo"}}}} ; field:[key] was indexed without position data
          {"span_first":{"match":{"span_term":{"title":{"value":"a","boost":2}}},"end":1}} ; span_first [match] as a nested span clause can't have non-default boost value [2.0]
          """)
  void refusesWhatIsNoSpan(String query, String message) {
    assertThatThrownBy(() -> index.matching(query))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(message);
  }
}
