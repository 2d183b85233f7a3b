package dev.holdfast.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.Test;

final class ScoresTest {
  @Test
  void areThoseOfPlainLucene() throws IOException {
    // given
    try (TestIndex index =
        new TestIndex(
                "{\"a\":{\"type\":\"text\"},\"b\":{\"type\":\"text\"},\"k\":{\"type\":\"keyword\"}}")
            .add("1", "{\"a\":\"x y z\",\"k\":\"v\"}", "2", "{\"a\":\"x x y\",\"b\":\"x\"}")
            .add("3", "{\"a\":\"y x\",\"b\":\"z z\",\"k\":\"v\"}", "4", "{\"a\":\"z\"}")) {
      Query x = new TermQuery(new Term("a", "x"));
      Query y = new TermQuery(new Term("a", "y"));
      Query xInB = new TermQuery(new Term("b", "x"));
      Map<String, Query> pairs =
          Map.of(
              "{\"match\":{\"a\":\"x\"}}", x,
              "{\"match\":{\"a\":{\"query\":\"x\",\"boost\":2.5}}}", new BoostQuery(x, 2.5f),
              "{\"match\":{\"a\":\"x y\"}}",
                  new BooleanQuery.Builder().add(x, Occur.SHOULD).add(y, Occur.SHOULD).build(),
              "{\"match_phrase\":{\"a\":\"x y\"}}", new PhraseQuery("a", "x", "y"),
              "{\"multi_match\":{\"query\":\"x\",\"fields\":[\"a^2\",\"b\"],\"tie_breaker\":0.3}}",
                  new DisjunctionMaxQuery(List.of(new BoostQuery(x, 2), xInB), 0.3f));
      pairs.forEach((ours, lucenes) -> check(index, ours, lucenes));
    }
  }

  private static void check(TestIndex index, String ours, Query lucenes) {
    try {
      // when
      ShardResult result = index.run("{\"query\":" + ours + "}");
      IndexSearcher searcher = index.context().searcher();
      ScoreDoc[] expected = searcher.search(lucenes, 10).scoreDocs;
      // then
      assertThat(result.hits()).as(ours).hasSize(expected.length);
      for (int i = 0; i < expected.length; i++) {
        assertThat(result.hits().get(i).doc()).as(ours).isEqualTo(expected[i].doc);
        assertThat(result.hits().get(i).score()).as(ours).isEqualTo(expected[i].score);
      }
      assertThat(result.maxScore()).isEqualTo(expected[0].score);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void sourceIsReadBackAsSent() throws IOException {
    try (TestIndex index =
        new TestIndex("{\"a\":{\"type\":\"text\"}}").add("1", "{ \"a\" : \"x\" }")) {
      assertThat(index.hits("{}").getFirst().source())
          .asString(UTF_8)
          .isEqualTo("{ \"a\" : \"x\" }");
      assertThat(index.hits("{\"_source\":[\"b*\"]}").getFirst().source())
          .asString(UTF_8)
          .isEqualTo("{}");
    }
  }
}
