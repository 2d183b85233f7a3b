package dev.holdfast.query.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.Json;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.Test;

/// Terms that score are looked up once; those that filter stay what caches know.
final class SharedTermStatesTest {
  @Test
  void termsThatScoreAreKnown() throws Exception {
    try (SearchTestIndex index = new SearchTestIndex("{\"t\":{\"type\":\"text\"}}")) {
      index.add("1", "{\"t\":\"red fox\"}", "2", "{\"t\":\"red dog\"}");
      index.add("3", "{\"t\":\"fox\"}");
      QueryContext context = index.context();

      Query lone = known(context, "{\"match\":{\"t\":\"fox\"}}");
      Query mixed =
          known(
              context,
              "{\"bool\":{\"must\":[{\"match\":{\"t\":\"red fox\"}}],"
                  + "\"filter\":[{\"term\":{\"t\":\"dog\"}}]}}");

      assertThat(lone)
          .isInstanceOfSatisfying(
              TermQuery.class, term -> assertThat(term.getTermStates().docFreq()).isEqualTo(2));
      assertThat(mixed)
          .isInstanceOfSatisfying(
              BooleanQuery.class,
              group ->
                  group
                      .clauses()
                      .forEach(clause ->
                          assertThat(isKnown(clause.query()))
                              .isEqualTo(clause.occur() == BooleanClause.Occur.MUST)));
    }
  }

  private static boolean isKnown(Query query) {
    return switch (query) {
      case TermQuery term -> term.getTermStates() != null;
      case BooleanQuery group ->
          group.clauses().stream().allMatch(clause -> isKnown(clause.query()));
      default -> false;
    };
  }

  private static Query known(QueryContext context, String query) throws Exception {
    return SharedTermStates.of(
        context.searcher(), Queries.parse(Json.parseObject(query)).toLucene(context));
  }
}
