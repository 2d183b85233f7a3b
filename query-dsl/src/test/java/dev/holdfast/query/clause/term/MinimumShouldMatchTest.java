package dev.holdfast.query.clause.term;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MinimumShouldMatchTest {
  @ParameterizedTest
  @CsvSource({
    "3, 5, 3",
    "-2, 5, 3",
    "75%, 5, 3",
    "-25%, 5, 4",
    "-100%, 5, 0",
    "3<90%, 3, 3",
    "3<90%, 10, 9",
    "2<-25% 9<-3, 2, 2",
    "2<-25% 9<-3, 8, 6",
    "2<-25% 9<-3, 12, 9",
    "0, 5, 0",
    "7, 5, 7"
  })
  void countsAsElasticsearchDocuments(String spec, int optional, int expected) {
    assertThat(MinimumShouldMatch.of(spec, optional)).isEqualTo(expected);
  }
}
