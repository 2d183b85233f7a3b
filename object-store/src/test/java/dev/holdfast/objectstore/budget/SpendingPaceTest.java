package dev.holdfast.objectstore.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Requests that can wait keep what all requests cost at a rate.
class SpendingPaceTest {
  private static final double REQUEST = 5e-6;

  private long nanos = 1_000;
  private final SpendingPace pace = new SpendingPace(() -> nanos, REQUEST);

  private void passes(Duration time) {
    nanos += time.toNanos();
  }

  /// Somebody who always has something to write, and looks every 20 ms.
  private int logFiles(Duration time, boolean withUploads) {
    int gone = 0;
    Duration held = Duration.ZERO;
    for (long i = 0; i < time.toMillis() / 20; i++) {
      passes(Duration.ofMillis(20));
      if (withUploads && pace.tryTake(Deferrable.UPLOAD, Duration.ZERO)) {
        pace.spent(true, REQUEST);
      }
      if (pace.tryTake(Deferrable.LOG_FILE, held)) {
        pace.spent(true, REQUEST);
        gone++;
        held = Duration.ZERO;
      } else {
        held = held.plusMillis(20);
      }
    }
    return gone;
  }

  @Test
  void withoutALimitNothingWaits() {
    assertThat(logFiles(Duration.ofSeconds(10), true)).isEqualTo(500);
    assertThat(pace.waits(Deferrable.LOG_FILE).held()).isZero();
  }

  @Test
  void aLoadWithoutEndSpendsWhatTheLimitSays() {
    pace.limit(0.5 * REQUEST);
    assertThat(logFiles(Duration.ofMinutes(10), false)).isBetween(297, 303);
    assertThat(pace.waits(Deferrable.LOG_FILE).held()).isPositive();
    assertThat(pace.waits(Deferrable.LOG_FILE).overdue()).isZero();
    assertThat(pace.deferredDollars()).isCloseTo(300 * REQUEST, within(3 * REQUEST));
  }

  @Test
  void requestsThatNobodyHoldsUpArePaidForByThoseThatWait() {
    pace.limit(REQUEST);
    for (int second = 0; second < 100; second++) {
      pace.spent(false, REQUEST / 2);
      int _ = logFiles(Duration.ofSeconds(1), false);
    }
    assertThat(pace.promptDollars() + pace.deferredDollars())
        .isCloseTo(100 * REQUEST, within(5 * REQUEST));
  }

  @Test
  void everyFourthIsAnUploadWhileUploadsWait() {
    pace.limit(REQUEST);
    int logFiles = logFiles(Duration.ofMinutes(5), true);
    long uploads = pace.waits(Deferrable.UPLOAD).seconds().count();
    assertThat(logFiles + uploads).isBetween(297L, 303L);
    assertThat((double) logFiles / uploads).isBetween(2.8, 3.2);
  }

  /// A search storm must not keep acknowledgements back for ever.
  @Test
  void whatHasWaitedLongEnoughGoesWithoutMoney() {
    pace.limit(REQUEST);
    pace.spent(false, 10_000 * REQUEST);
    passes(Duration.ofMillis(1));
    assertThat(pace.tryTake(Deferrable.LOG_FILE, Duration.ofMillis(4_999))).isFalse();
    assertThat(pace.tryTake(Deferrable.LOG_FILE, Duration.ofSeconds(5))).isTrue();
    assertThat(pace.tryTake(Deferrable.UPLOAD, Duration.ofMinutes(4))).isFalse();
    assertThat(pace.tryTake(Deferrable.UPLOAD, Duration.ofMinutes(5))).isTrue();
    assertThat(pace.waits(Deferrable.LOG_FILE).overdue()).isEqualTo(1);
  }

  @Test
  void littleIsSavedUp() {
    pace.limit(REQUEST);
    passes(Duration.ofDays(1));
    int gone = 0;
    while (pace.tryTake(Deferrable.LOG_FILE, Duration.ZERO)) {
      gone++;
    }
    assertThat(gone).isEqualTo(10);
  }

  @Test
  void whoStopsWaitsForNothingWhateverIsSaidLater() {
    pace.limit(REQUEST);
    pace.end();
    pace.limit(REQUEST);
    assertThat(logFiles(Duration.ofSeconds(2), true)).isEqualTo(100);
  }
}
