package dev.holdfast.query.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.world.Json;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class TermsEnumInspectionTest {
  @Test
  void termsAreThoseOfTheFieldThatAnAliasStandsFor() throws IOException {
    String properties =
        "{\"k\":{\"type\":\"keyword\"},\"other\":{\"type\":\"alias\",\"path\":\"k\"}}";
    try (SearchTestIndex index = new SearchTestIndex(properties)) {
      index.add("1", "{\"k\":[\"pear\",\"plum\"]}");

      assertThat(
              TermsEnumInspection.answer(
                      index.context(), Json.parseObject("{\"field\":\"other\",\"string\":\"pl\"}"))
                  .path("terms")
                  .toString())
          .isEqualTo("[\"plum\"]");
    }
  }
}
