package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a refresh is of, beside the shard that it names.
final class DiversionsTest {
  private static final IndexId BOOKS = new IndexId("books", "uuid-books");
  private static final ShardId ZERO = new ShardId(BOOKS, 0);
  private static final ShardId ONE = new ShardId(BOOKS, 1);
  private static final ShardId TWO = new ShardId(BOOKS, 2);

  private final Diversions diversions = new Diversions();

  private List<ShardId> others() {
    return diversions.of(ZERO).stream().map(Diversions.Seen::other).toList();
  }

  @Test
  void aRefreshThatBeganAfterTheWritesHadEndedEndsIt() {
    // given
    diversions.begin(ZERO, ONE);
    diversions.begin(ZERO, TWO);
    diversions.end(ZERO, ONE);
    assertThat(others()).containsExactly(ONE, TWO);
    // when
    List<Diversions.Seen> seen = diversions.of(ZERO);
    diversions.end(ZERO, TWO);
    seen.forEach(one -> diversions.shown(ZERO, one));
    // then: what was written to the other may have come too late for it
    assertThat(others()).containsExactly(TWO);
    diversions.of(ZERO).forEach(one -> diversions.shown(ZERO, one));
    assertThat(diversions.size()).isZero();
  }

  @Test
  void aWriteThatBeganMeanwhileIsNotForgotten() {
    // given
    diversions.begin(ZERO, ONE);
    diversions.end(ZERO, ONE);
    List<Diversions.Seen> seen = diversions.of(ZERO);
    // when
    diversions.begin(ZERO, ONE);
    diversions.end(ZERO, ONE);
    seen.forEach(one -> diversions.shown(ZERO, one));
    // then
    assertThat(others()).containsExactly(ONE);
  }

  @Test
  void indicesThatAreGoneAreForgotten() {
    diversions.begin(ZERO, ONE);
    diversions.retain(_ -> false);
    assertThat(diversions.size()).isZero();
    diversions.end(ZERO, ONE);
    assertThat(others()).isEmpty();
  }
}
