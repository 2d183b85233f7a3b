package dev.holdfast.query.clause.fulltext;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.SearchTestIndex;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `split_queries_on_whitespace`: texts are searched word by word where values are whole.
final class SplitWordsTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void fill() throws IOException {
    index =
        new SearchTestIndex(
                """
                {"k":{"type":"keyword","split_queries_on_whitespace":true,"normalizer":"lowercase"},
                 "w":{"type":"keyword"},
                 "f":{"type":"flattened","split_queries_on_whitespace":true}}
                """)
            .add(
                "1",
                "{\"k\":\"Fox\",\"w\":\"fox\",\"f\":{\"a\":\"fox\"}}",
                "2",
                "{\"k\":\"quick fox\",\"w\":\"quick fox\",\"f\":{\"a\":\"quick fox\"}}",
                "3",
                "{\"k\":\"dog\",\"w\":\"dog\",\"f\":{\"a\":\"dog\"}}");
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
          {"match":{"k":"quick FOX"}}                            ; 1
          {"match":{"k":"fox  dog "}}                            ; 1 3
          {"match":{"k":{"query":"fox dog","operator":"and"}}}   ; ``
          {"match":{"k":{"query":"fox dog quick","minimum_should_match":2}}} ; ``
          {"match":{"k":{"query":"foxx dog","fuzziness":1}}}     ; 1 3
          {"match":{"k":{"query":" ","zero_terms_query":"all"}}} ; 1 2 3
          {"match_phrase":{"k":"quick fox"}}                     ; 2
          {"match_bool_prefix":{"k":"dog fo"}}                   ; 1 3
          {"multi_match":{"query":"fox dog","fields":["k"]}}     ; 1 3
          {"match":{"w":"fox dog"}}                              ; ``
          {"match":{"w":"quick fox"}}                            ; 2
          {"match":{"f.a":"fox dog"}}                            ; 1 3
          {"match":{"f":"fox dog"}}                              ; 1 3
          """)
  void wordsAreLookedForOneByOne(String query, String ids) throws IOException {
    assertThat(index.matching(query)).isEqualTo(ids);
  }
}
