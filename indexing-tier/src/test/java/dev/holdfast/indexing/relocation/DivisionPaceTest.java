package dev.holdfast.indexing.relocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.world.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DivisionPaceTest {
  private static final IndexId BOOKS = new IndexId("books", "uuid-books");

  private Duration now = Duration.ofSeconds(1);
  private final DivisionPace pace =
      new DivisionPace(
          new Clock() {
            @Override
            public long nanoTime() {
              return now.toNanos();
            }

            @Override
            public long epochMillis() {
              return now.toMillis();
            }
          },
          60);

  private void later(Duration time) {
    now = now.plus(time);
  }

  @Test
  void aNodeThatHasDividedNothingDoesNotWait() {
    assertThat(pace.isTooSoon(BOOKS, 1)).isFalse();
  }

  @Test
  void writesGoOnForSixtyTimesWhatADivisionTook() {
    // given
    pace.took(BOOKS, Duration.ofMillis(100).toNanos());
    // when, then
    assertThat(pace.isTooSoon(BOOKS, 2)).isTrue();
    later(Duration.ofMillis(5_999));
    assertThat(pace.isTooSoon(BOOKS, 2)).isTrue();
    later(Duration.ofMillis(1));
    assertThat(pace.isTooSoon(BOOKS, 2)).isFalse();
  }

  @Test
  void aDivisionByAnotherNodeIsWaitedAfterAsWell() {
    // given: this node's turn has come
    pace.took(BOOKS, Duration.ofMillis(100).toNanos());
    assertThat(pace.isTooSoon(BOOKS, 2)).isTrue();
    later(Duration.ofSeconds(10));
    assertThat(pace.isTooSoon(BOOKS, 2)).isFalse();
    // when: the shard that came next was made elsewhere, and it is this node's turn again
    assertThat(pace.isTooSoon(BOOKS, 4)).isTrue();
    // then
    later(Duration.ofSeconds(6));
    assertThat(pace.isTooSoon(BOOKS, 4)).isFalse();
  }

  @Test
  void nothingIsWaitedForLongerThanTwoMinutes() {
    pace.took(BOOKS, Duration.ofHours(1).toNanos());
    assertThat(pace.isTooSoon(BOOKS, 2)).isTrue();
    later(Duration.ofMinutes(2));
    assertThat(pace.isTooSoon(BOOKS, 2)).isFalse();
  }

  @Test
  void whoGaveADivisionUpHoldsWritesUpLaterAndLonger() {
    // given
    Duration max = Duration.ofSeconds(10);
    assertThat(pace.knows(BOOKS)).isFalse();
    assertThat(pace.shutMax(BOOKS, max)).isEqualTo(Duration.ofSeconds(1));
    // when: writes did not end
    pace.gaveUp(BOOKS, 1, Duration.ofSeconds(1).toNanos());
    // then
    assertThat(pace.knows(BOOKS)).isTrue();
    assertThat(pace.shutMax(BOOKS, max)).isEqualTo(Duration.ofSeconds(2));
    assertThat(pace.isTooSoon(BOOKS, 1)).isTrue();
    later(Duration.ofSeconds(60));
    assertThat(pace.isTooSoon(BOOKS, 1)).isFalse();
    // and: never for longer than a move may
    for (int i = 0; i < 100; i++) {
      pace.gaveUp(BOOKS, 1, 0);
    }
    assertThat(pace.shutMax(BOOKS, max)).isEqualTo(max);
    // and: one that is made is the end of that
    pace.took(BOOKS, Duration.ofMillis(100).toNanos());
    assertThat(pace.shutMax(BOOKS, max)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void whatOtherIndicesTookCountsOnlyForAFirst() {
    // given
    IndexId films = new IndexId("films", "uuid-films");
    pace.took(BOOKS, Duration.ofSeconds(1).toNanos());
    pace.took(films, Duration.ofMillis(100).toNanos());
    assertThat(pace.isTooSoon(BOOKS, 2)).isTrue();
    // when, then
    later(Duration.ofMillis(59_999));
    assertThat(pace.isTooSoon(BOOKS, 2)).isTrue();
    later(Duration.ofMillis(1));
    assertThat(pace.isTooSoon(BOOKS, 2)).isFalse();
    // and
    IndexId first = new IndexId("songs", "uuid-songs");
    assertThat(pace.isTooSoon(first, 2)).isTrue();
    later(Duration.ofSeconds(6));
    assertThat(pace.isTooSoon(first, 2)).isFalse();
  }

  @Test
  void theNextSplitOfAnIndexWaitsAfterTheLast() {
    // given
    pace.took(BOOKS, Duration.ofMillis(100).toNanos());
    pace.done(BOOKS, 2);
    // when, then
    assertThat(pace.knows(BOOKS)).isTrue();
    later(Duration.ofMillis(5_999));
    assertThat(pace.isTooSoon(BOOKS, 2)).isTrue();
    later(Duration.ofMillis(1));
    assertThat(pace.isTooSoon(BOOKS, 2)).isFalse();
  }
}
