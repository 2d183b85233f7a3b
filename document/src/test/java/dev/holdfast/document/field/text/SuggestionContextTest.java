package dev.holdfast.document.field.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SuggestionContextTest {
  private static int precision(String given) {
    return SuggestionContext.read(Json.parse("{\"name\":\"place\",\"type\":\"geo\"" + given + "}"))
        .getFirst()
        .precision();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                     | 6
          ,"precision":4         | 4
          ,"precision":"50km"    | 5
          ,"precision":"1km"     | 7
          ,"precision":1000.0    | 7
          """)
  void thePrecisionOfAPlaceIsOfCharactersOrOfDistance(String given, int characters) {
    assertThat(precision(given)).isEqualTo(characters);
  }

  @Test
  void whatIsNoDistanceIsRefused() {
    assertThatThrownBy(() -> precision(",\"precision\":\"near\"")).isInstanceOf(Refusal.class);
  }
}
