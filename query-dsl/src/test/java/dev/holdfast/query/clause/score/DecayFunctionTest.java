package dev.holdfast.query.clause.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.result.Hit;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DecayFunctionTest {
  /// At the origin 1, one scale away the decay; two scales away what the curve says.
  @ParameterizedTest
  @CsvSource({"exp,0.25", "gauss,0.0625", "linear,0"})
  void fallsAsTheCurveSays(String curve, float twice) throws IOException {
    try (SearchTestIndex index =
        new SearchTestIndex("{\"n\":{\"type\":\"integer\"}}")
            .add("here", "{\"n\":102}", "once", "{\"n\":112}")
            .add("twice", "{\"n\":78}", "nowhere", "{}")) {
      List<Hit> hits =
          index.hits(
              """
              {"sort":["_doc"],"track_scores":true,"query":{"function_score":{"boost_mode":"replace",
               "functions":[{"%s":{"n":{"origin":100,"scale":10,"offset":2,"decay":0.5}}}]}}}\
              """
                  .formatted(curve));

      assertThat(hits).extracting(Hit::id).containsExactly("here", "once", "twice", "nowhere");
      assertThat(hits.get(0).score()).isEqualTo(1, offset(1e-6f));
      assertThat(hits.get(1).score()).isEqualTo(0.5f, offset(1e-6f));
      assertThat(hits.get(2).score()).isEqualTo(twice, offset(1e-6f));
      assertThat(hits.get(3).score()).isEqualTo(1, offset(1e-6f));
    }
  }
}
