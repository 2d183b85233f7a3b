package dev.holdfast.query.clause.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.join.ScoreMode;
import org.junit.jupiter.api.Test;

final class JoinMemoryTest {
  private static Query join(SearchTestIndex index, long bytesMax) throws Exception {
    return JoinQueries.query(
        index.context(),
        "k",
        MatchAllDocsQuery.INSTANCE,
        MatchAllDocsQuery.INSTANCE,
        ScoreMode.None,
        1,
        Integer.MAX_VALUE,
        new JoinMemory(bytesMax));
  }

  @Test
  void aJoinOfMoreIdsThanFitIsRefused() throws Exception {
    try (SearchTestIndex index = new SearchTestIndex("{\"k\":{\"type\":\"keyword\"}}")) {
      for (int i = 0; i < 50; i++) {
        index.add("d" + i, "{\"k\":\"id" + i + "\"}");
      }
      Query all = join(index, 100_000);
      Refusal refusal = catchThrowableOfType(Refusal.class, () -> join(index, 5_000));

      assertThat(index.context().searcher().count(all)).isEqualTo(50);
      assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
      assertThat(refusal.status()).isEqualTo(429);
      assertThat(refusal.reason()).startsWith("[request] Data too large").contains("[5000/");
    }
  }
}
