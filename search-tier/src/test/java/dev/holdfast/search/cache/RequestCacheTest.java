package dev.holdfast.search.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.cache.RequestCache.Commit;
import dev.holdfast.search.cache.RequestCache.Key;
import org.junit.jupiter.api.Test;

final class RequestCacheTest {
  private static final ShardId ZERO = new ShardId(new IndexId("books", "u1"), 0);
  private static final ShardId ONE = new ShardId(new IndexId("books", "u1"), 1);

  private static Key key(ShardId shard, long generation, String request) {
    return new Key(new Commit(shard, 1, generation), 1, 1, request);
  }

  @Test
  void anAnswerIsFoundForItsCommitOnly() {
    RequestCache cache = new RequestCache(10_000);
    cache.put(key(ZERO, 5, "a"), new byte[] {7});

    assertThat(cache.find(key(ZERO, 5, "a"))).containsExactly(7);
    assertThat(cache.find(key(ZERO, 6, "a"))).isNull();
    assertThat(cache.find(key(ONE, 5, "a"))).isNull();
    assertThat(cache.find(new Key(new Commit(ZERO, 2, 5), 1, 1, "a"))).isNull();
    assertThat(cache.find(new Key(new Commit(ZERO, 1, 5), 2, 1, "a"))).isNull();
    assertThat(cache.figures().get(ZERO))
        .satisfies(figures -> {
          assertThat(figures.hits()).isEqualTo(1);
          assertThat(figures.misses()).isEqualTo(1);
        });
  }

  @Test
  void whatWasNotAskedForLongestMakesRoom() {
    RequestCache cache = new RequestCache(2_000);
    cache.put(key(ZERO, 1, "a"), new byte[500]);
    cache.put(key(ZERO, 1, "b"), new byte[500]);
    assertThat(cache.find(key(ZERO, 1, "a"))).isNotNull();

    cache.put(key(ONE, 1, "c"), new byte[500]);

    assertThat(cache.find(key(ZERO, 1, "a"))).isNotNull();
    assertThat(cache.find(key(ZERO, 1, "b"))).isNull();
    assertThat(cache.figures().get(ZERO).evictions()).isEqualTo(1);
    assertThat(cache.figures().values())
        .extracting(RequestCacheFigures::bytes)
        .satisfies(bytes ->
            assertThat(bytes.stream().mapToLong(Long::longValue).sum()).isBetween(1_000L, 2_000L));
  }

  @Test
  void anAnswerLargerThanTheBudgetIsNotKept() {
    RequestCache cache = new RequestCache(1_000);
    cache.put(key(ZERO, 1, "a"), new byte[10]);

    cache.put(key(ZERO, 1, "b"), new byte[5_000]);

    assertThat(cache.find(key(ZERO, 1, "a"))).isNotNull();
    assertThat(cache.find(key(ZERO, 1, "b"))).isNull();
  }

  @Test
  void droppingACommitGivesBackItsMemory() {
    RequestCache cache = new RequestCache(10_000);
    cache.put(key(ZERO, 1, "a"), new byte[10]);
    cache.put(key(ZERO, 1, "b"), new byte[10]);
    cache.put(key(ZERO, 2, "a"), new byte[10]);

    cache.drop(new Commit(ZERO, 1, 1));

    assertThat(cache.find(key(ZERO, 1, "a"))).isNull();
    assertThat(cache.find(key(ZERO, 2, "a"))).isNotNull();
    cache.clear(ZERO::equals);
    assertThat(cache.figures().get(ZERO).bytes()).isZero();
  }
}
