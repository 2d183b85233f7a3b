package dev.holdfast.query.clause.interval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.SearchTestIndex;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rules of `intervals` that are made of rules.
final class IntervalsTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void fill() throws IOException {
    index =
        new SearchTestIndex("{\"t\":{\"type\":\"text\"}}")
            .add("1", "{\"t\":\"cold porridge is my food\"}", "2", "{\"t\":\"my food is cold\"}")
            .add("3", "{\"t\":\"food porridge\"}");
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
          {"all_of":{"intervals":[{"match":{"query":"food"}},{"match":{"query":"cold"}}]}} ; 1 2
          {"all_of":{"ordered":true,"intervals":[{"match":{"query":"food"}},{"match":{"query":"cold"}}]}} ; 2
          {"all_of":{"ordered":true,"max_gaps":0,"intervals":[{"match":{"query":"my food"}},{"match":{"query":"is"}}]}} ; 2
          {"all_of":{"max_gaps":1,"intervals":[{"match":{"query":"food"}},{"match":{"query":"cold"}}]}} ; 2
          {"any_of":{"intervals":[{"match":{"query":"my"}},{"all_of":{"max_gaps":0,"intervals":[{"match":{"query":"porridge"}},{"match":{"query":"food"}}]}}]}} ; 1 2 3
          {"all_of":{"intervals":[{"match":{"query":"food"}},{"match":{"query":"nothing"}}]}} ; ``
          """)
  void findsInOrderAndWithinGaps(String rule, String ids) throws IOException {
    assertThat(index.matching("{\"intervals\":{\"t\":" + rule + "}}")).isEqualTo(ids);
  }
}
