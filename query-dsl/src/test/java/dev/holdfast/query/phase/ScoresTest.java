package dev.holdfast.query.phase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.result.ShardHit;
import java.io.IOException;
import java.util.LinkedHashMap;
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
  void areThoseOfLucenesQueries() throws IOException {
    // given
    try (SearchTestIndex index =
        new SearchTestIndex(
                "{\"a\":{\"type\":\"text\"},\"b\":{\"type\":\"text\"},\"k\":{\"type\":\"keyword\"}}")
            .add("1", "{\"a\":\"x y z\",\"k\":\"v\"}", "2", "{\"a\":\"x x y\",\"b\":\"x\"}")
            .add("3", "{\"a\":\"y x\",\"b\":\"z z\",\"k\":\"v\"}", "4", "{\"a\":\"z\"}")) {
      Query x = new TermQuery(new Term("a", "x"));
      Query y = new TermQuery(new Term("a", "y"));
      Query xInB = new TermQuery(new Term("b", "x"));
      Map<String, Query> pairs =
          Map.of(
              "{\"multi_match\":{\"query\":\"x\",\"fields\":[\"a^2\",\"a^1.5\"]}}",
                  new BoostQuery(x, 1.5f),
              "{\"match\":{\"a\":\"x\"}}", x,
              "{\"match\":{\"a\":{\"query\":\"x\",\"boost\":2.5}}}", new BoostQuery(x, 2.5f),
              "{\"match\":{\"a\":\"x y\"}}",
                  new BooleanQuery.Builder().add(x, Occur.SHOULD).add(y, Occur.SHOULD).build(),
              "{\"match_phrase\":{\"a\":\"x y\"}}", new PhraseQuery("a", "x", "y"),
              "{\"simple_query_string\":{\"query\":\"x\",\"fields\":[\"a^2\",\"b\"]}}",
                  new DisjunctionMaxQuery(List.of(new BoostQuery(x, 2), xInB), 1),
              "{\"simple_query_string\":{\"query\":\"\\\"x\\\"\",\"fields\":[\"a^2\",\"b\"]}}",
                  new DisjunctionMaxQuery(List.of(new BoostQuery(x, 2), xInB), 0),
              "{\"multi_match\":{\"query\":\"x\",\"fields\":[\"a^2\",\"b\"],\"tie_breaker\":0.3}}",
                  new DisjunctionMaxQuery(List.of(new BoostQuery(x, 2), xInB), 0.3f));
      pairs.forEach((ours, lucenes) -> check(index, ours, lucenes));
    }
  }

  private static void check(SearchTestIndex index, String ours, Query lucenes) {
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
    try (SearchTestIndex index =
        new SearchTestIndex("{\"a\":{\"type\":\"text\"}}").add("1", "{ \"a\" : \"x\" }")) {
      assertThat(index.hits("{}").getFirst().source())
          .asString(UTF_8)
          .isEqualTo("{ \"a\" : \"x\" }");
      assertThat(index.hits("{\"_source\":[\"b*\"]}").getFirst().source())
          .asString(UTF_8)
          .isEqualTo("{}");
    }
  }

  /// What Elasticsearch 9.5.3 answers to the same queries over the same documents.
  @Test
  void areThoseOfElasticsearch() throws IOException {
    try (SearchTestIndex index =
        new SearchTestIndex(
                "{\"t\":{\"type\":\"text\"},\"k\":{\"type\":\"keyword\"},"
                    + "\"b\":{\"type\":\"boolean\"},\"n\":{\"type\":\"integer\"},"
                    + "\"normed\":{\"type\":\"keyword\",\"norms\":true},"
                    + "\"counted\":{\"type\":\"keyword\",\"index_options\":\"freqs\"}}")
            .add(
                "1",
                "{\"t\":\"red"
                    + " fox\",\"k\":\"a\",\"n\":1,\"b\":true,\"normed\":\"a\",\"counted\":[\"a\",\"a\"]}",
                "2",
                "{\"t\":\"red red dog runs"
                    + " fast\",\"k\":[\"a\",\"b\"],\"n\":2,\"b\":true,\"normed\":\"b\",\"counted\":\"a\"}",
                "3",
                "{\"t\":\"blue\",\"k\":\"b\",\"n\":2,\"b\":false,\"normed\":[\"b\",\"c\"],\"counted\":\"b\"}")) {
      Map<String, List<Float>> expected = new LinkedHashMap<>();
      expected.put("{\"match\":{\"t\":\"red\"}}", List.of(0.52354836f, 0.5186247f));
      expected.put("{\"term\":{\"k\":\"a\"}}", List.of(0.52354836f, 0.52354836f));
      expected.put("{\"terms\":{\"k\":[\"a\"]}}", List.of(1f, 1f));
      expected.put("{\"term\":{\"n\":1}}", List.of(1f));
      expected.put("{\"term\":{\"b\":true}}", List.of(0.4700036f, 0.4700036f));
      expected.put("{\"term\":{\"normed\":\"b\"}}", List.of(0.52354836f, 0.39019167f));
      expected.put("{\"term\":{\"counted\":\"a\"}}", List.of(0.6951314f, 0.52354836f));
      expected.put("{\"match_phrase\":{\"t\":\"red fox\"}}", List.of(1.6161176f));
      expected.put("{\"prefix\":{\"k\":\"a\"}}", List.of(1f, 1f));
      expected.put("{\"fuzzy\":{\"t\":\"rad\"}}", List.of(0.3490322f, 0.34574977f));
      expected.put(
          "{\"bool\":{\"must\":[{\"match\":{\"t\":\"red\"}},{\"term\":{\"k\":\"b\"}}]}}",
          List.of(1.0421731f));
      for (Map.Entry<String, List<Float>> each : expected.entrySet()) {
        // when
        ShardResult result = index.run("{\"query\":" + each.getKey() + "}");
        // then
        assertThat(result.hits())
            .extracting(ShardHit::score)
            .as(each.getKey())
            .isEqualTo(each.getValue());
      }
    }
  }
}
