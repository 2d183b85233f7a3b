package dev.holdfast.query.clause.fulltext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class SimpleStringParserTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void open() throws IOException {
    index =
        new SearchTestIndex("{\"title\":{\"type\":\"text\"},\"body\":{\"type\":\"text\"}}")
            .add("1", "{\"title\":\"an apple\",\"body\":\"red\"}", "2", "{\"title\":\"pear\"}");
  }

  @AfterAll
  static void close() throws IOException {
    index.close();
  }

  /// The parser compares every part with every other: it took minutes for a thousand in depth.
  @Test
  void partsThatRepeatThemselvesAreOneObject() throws IOException {
    BooleanQuery parsed = (BooleanQuery) parsed("a* pear a* pear~1 pear pear~1");

    assertThat(parsed.clauses()).hasSize(6);
    assertThat(parsed.clauses().get(0).query()).isSameAs(parsed.clauses().get(2).query());
    assertThat(parsed.clauses().get(1).query()).isSameAs(parsed.clauses().get(4).query());
    assertThat(parsed.clauses().get(3).query()).isSameAs(parsed.clauses().get(5).query());
  }

  @Test
  void aTextOfAThousandPrefixesFindsWhatOneFinds() throws IOException {
    assertThat(index.matching(clause("a* ".repeat(1_000)))).isEqualTo(index.matching(clause("a*")));
    assertThat(index.matching(clause("a*"))).isEqualTo("1");
  }

  /// Four thousand prefixes of a hundred fields ended a node of 1 GiB before Lucene counted them.
  @Test
  void moreWordsOfMoreFieldsThanClausesAreRefusedBeforeAllAreMade() throws IOException {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i <= IndexSearcher.getMaxClauseCount() / 2; i++) {
      words.append("w").append(i).append("* ");
    }
    for (String kind : List.of("query_string", "simple_query_string")) {
      String text = clause(words.toString()).replace("simple_query_string", kind);
      assertThatThrownBy(() -> Queries.parse(Json.parseObject(text)).toLucene(index.context()))
          .as(kind)
          .satisfiesAnyOf(
              e -> assertThat(e).isInstanceOf(IndexSearcher.TooManyClauses.class),
              e -> assertThat(e).isInstanceOf(Refusal.class));
    }
  }

  private static org.apache.lucene.search.Query parsed(String text) throws IOException {
    return Queries.parse(Json.parseObject(clause(text))).toLucene(index.context());
  }

  private static String clause(String text) {
    return "{\"simple_query_string\":{\"query\":\"" + text + "\"}}";
  }
}
