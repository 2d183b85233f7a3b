package dev.holdfast.query.clause.specialized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

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

final class RankFeatureTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void fill() throws IOException {
    // given values that the index keeps exactly
    index =
        new SearchTestIndex(
                """
                {"rank":{"type":"rank_feature"},"topics":{"type":"rank_features"},
                 "n":{"type":"long"}}\
                """)
            .add("1", "{\"rank\":8,\"topics\":{\"sports\":2,\"news\":4}}")
            .add("2", "{\"rank\":2,\"topics\":{\"news\":8}}", "3", "{\"n\":1}");
  }

  @AfterAll
  static void close() throws IOException {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          {"field":"rank","linear":{}} ; 8 ; 2
          {"field":"rank","linear":{},"boost":3} ; 24 ; 6
          {"field":"rank","saturation":{"pivot":8}} ; 0.5 ; 0.2
          {"field":"rank","log":{"scaling_factor":2}} ; 2.302585 ; 1.386294
          {"field":"rank","sigmoid":{"pivot":2,"exponent":2}} ; 0.941176 ; 0.5
          """)
  void scoresByTheFunctionAskedFor(String body, float first, float second) throws IOException {
    List<Hit> hits = index.hits("{\"query\":{\"rank_feature\":" + body + "}}");

    assertThat(hits).extracting(Hit::id).containsExactly("1", "2");
    assertThat(hits.get(0).score()).isEqualTo(first, offset(1e-5f));
    assertThat(hits.get(1).score()).isEqualTo(second, offset(1e-5f));
  }

  @Test
  void findsOneFeatureAmongMany() throws IOException {
    assertThat(index.ids("{\"query\":{\"rank_feature\":{\"field\":\"topics.sports\"}}}"))
        .containsExactly("1");
    assertThat(index.ids("{\"query\":{\"rank_feature\":{\"field\":\"topics.news\"}}}"))
        .containsExactly("2", "1");
    assertThat(index.ids("{\"query\":{\"rank_feature\":{\"field\":\"no.such\"}}}")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          {"field":"rank","linear":{},"log":{"scaling_factor":1}} ; Can only specify one of [log], [saturation], [sigmoid] and [linear]
          {"field":"n"} ; [rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, not [long]
          """)
  void refusesWhatHasNoScore(String body, String message) {
    assertThatThrownBy(() -> index.hits("{\"query\":{\"rank_feature\":" + body + "}}"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(message);
  }
}
