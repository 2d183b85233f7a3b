package dev.holdfast.query.clause.fulltext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Each word with edits is an automaton a segment: 70 kB of them took a thread for a minute.
final class FuzzyWordsTest {
  private static String match(String words, String more) {
    return "{\"match\":{\"title\":{\"query\":\"" + words + "\"" + more + "}}}";
  }

  private final int clausesMax = IndexSearcher.getMaxClauseCount();

  @BeforeEach
  void asInANode() {
    IndexSearcher.setMaxClauseCount(1 << 20);
  }

  @AfterEach
  void asBefore() {
    IndexSearcher.setMaxClauseCount(clausesMax);
  }

  @Test
  void manyDifferentWordsAreRefusedBeforeTheyAreSearched() throws Exception {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i <= 4096; i++) {
      words.append("word").append(i).append(' ');
    }
    try (SearchTestIndex index =
        new SearchTestIndex("{\"title\":{\"type\":\"text\"}}").add("1", "{\"title\":\"apple\"}")) {
      String fuzzy = match(words.toString(), ",\"fuzziness\":\"AUTO\"");

      assertThatThrownBy(() -> Queries.parse(Json.parseObject(fuzzy)).toLucene(index.context()))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("a query may have [4096] different words with [fuzziness]");
      assertThat(index.matching(match("aple ".repeat(5000), ",\"fuzziness\":1"))).isEqualTo("1");
      assertThat(index.matching(match("ab ".repeat(5000) + "apple", ",\"fuzziness\":\"AUTO\"")))
          .isEqualTo("1");
    }
  }
}
