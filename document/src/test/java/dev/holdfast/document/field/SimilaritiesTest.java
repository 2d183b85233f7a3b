package dev.holdfast.document.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import java.util.TreeMap;
import org.apache.lucene.search.similarities.Similarity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Settings of similarities that nothing would obey are refused when an index is made.
final class SimilaritiesTest {
  private static TreeMap<String, Object> settings(String overlaps) {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.similarity.own.type", "BM25");
    settings.put("index.similarity.own.discount_overlaps", overlaps);
    return settings;
  }

  @ParameterizedTest
  @CsvSource({"false, cannot be [false]", "maybe, as only [true] or [false] are allowed"})
  void overlapsAreDiscountedAlways(String overlaps, String why) {
    assertThatThrownBy(() -> Similarities.check(settings(overlaps)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(why);
  }

  @Test
  void anIndexThatSaysOtherwiseGoesOn() {
    Similarities.check(settings("true"));

    Similarity kept = Similarities.of("own", "f", settings("false"));

    assertThat(kept).isNotNull();
  }
}
