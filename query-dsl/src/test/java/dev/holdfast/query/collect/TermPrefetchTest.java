package dev.holdfast.query.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.Json;
import org.junit.jupiter.api.Test;

/// Reading the terms of many segments ahead changes no answer.
final class TermPrefetchTest {
  /// More than are read ahead at once.
  private static final int SEGMENTS = 40;

  @Test
  void hitsOfManySegmentsAreThoseOfOneByOne() throws Exception {
    try (SearchTestIndex index =
        new SearchTestIndex("{\"k\":{\"type\":\"keyword\"},\"t\":{\"type\":\"text\"}}")) {
      for (int i = 0; i < SEGMENTS; i++) {
        index.add(
            i + "a",
            "{\"k\":\"" + i % 3 + "\",\"t\":\"red fox " + i + "\"}",
            i + "b",
            i % 2 == 0 ? "{\"t\":\"red dog\"}" : "{\"k\":\"0\"}");
      }
      String red = "{\"match\":{\"t\":\"red\"}}";
      assertThat(total(index, red)).isEqualTo(SEGMENTS + SEGMENTS / 2);
      assertThat(total(index, "{\"term\":{\"k\":\"0\"}}")).isEqualTo(14 + SEGMENTS / 2);
      assertThat(total(index, "{\"term\":{\"missing\":\"0\"}}")).isZero();
      assertThat(
              total(
                  index,
                  "{\"bool\":{\"must\":[%s],\"must_not\":[{\"term\":{\"k\":\"1\"}}]}}"
                      .formatted(red)))
          .isEqualTo(SEGMENTS - 13 + SEGMENTS / 2);
      // a term of one segment is found there
      assertThat(index.matching("{\"term\":{\"t\":\"33\"}}")).isEqualTo("33a");
    }
  }

  @Test
  void onlyQueriesOfTermsAreReadAhead() throws Exception {
    try (SearchTestIndex index =
        new SearchTestIndex("{\"k\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"}}")) {
      String term = "{\"term\":{\"k\":\"a\"}}";
      String range = "{\"range\":{\"n\":{\"gt\":1}}}";
      String both = "{\"bool\":{\"must\":[%s],\"filter\":[%s]}}".formatted(term, range);
      assertThat(TermPrefetch.isOnlyTerms(lucene(index, term))).isTrue();
      assertThat(TermPrefetch.isOnlyTerms(lucene(index, range))).isFalse();
      assertThat(TermPrefetch.isOnlyTerms(lucene(index, both))).isFalse();
    }
  }

  private static org.apache.lucene.search.Query lucene(SearchTestIndex index, String query)
      throws Exception {
    return Queries.parse(Json.parseObject(query)).toLucene(index.context());
  }

  private static long total(SearchTestIndex index, String query) throws Exception {
    ShardResult result = index.run("{\"size\":100,\"query\":" + query + "}");
    assertThat(result.hits()).hasSize((int) result.total());
    return result.total();
  }
}
