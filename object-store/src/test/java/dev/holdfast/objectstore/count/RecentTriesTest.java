package dev.holdfast.objectstore.count;

import static dev.holdfast.objectstore.ObjectStoreContract.body;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// A store that fails many requests is ill, though each is done at its next try.
final class RecentTriesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return nanos.get();
        }

        @Override
        public long epochMillis() {
          return 0;
        }
      };
  private final StoreCounters counters = new StoreCounters(StorePrices.S3_STANDARD);
  private final RecentTries recent = new RecentTries(clock, counters);

  /// Sends requests of which every so many-th fails.
  private void send(int requests, int failing) {
    Counting store =
        new Counting(
            new ForwardingStore(new MemoryStore()) {
              private int sent;

              @Override
              public Version put(String key, ObjectBody body) throws StoreException {
                if (++sent % failing == 0) {
                  throw new StoreException.Unavailable("slow down", null);
                }
                return super.put(key, body);
              }
            },
            Purpose.COMMIT_UPLOAD,
            counters);
    for (int i = 0; i < requests; i++) {
      try {
        var _ = store.put("a" + i, body("x"));
      } catch (StoreException e) {
        assertThat(e).hasMessage("slow down");
      }
    }
  }

  private void pass(Duration time) {
    for (int i = 0; i < time.dividedBy(RecentTries.EVERY); i++) {
      nanos.addAndGet(RecentTries.EVERY.toNanos());
      recent.sample();
    }
  }

  @Test
  void aStoreThatFailsEverySecondRequestIsIll() {
    send(100, 2);
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());

    assertThat(recent.share()).isEqualTo(new RecentTries.Share(100, 50, Duration.ofSeconds(5)));
    assertThat(recent.share().isIll()).isTrue();
  }

  @Test
  void aMinuteLaterThatIsOver() {
    send(100, 2);
    pass(Duration.ofSeconds(60));
    assertThat(recent.share().isIll()).isTrue();

    pass(Duration.ofSeconds(10));

    assertThat(recent.share()).isEqualTo(new RecentTries.Share(0, 0, Duration.ofSeconds(60)));
    assertThat(recent.share().isIll()).isFalse();
  }

  @Test
  void aFailureNowAndThenIsNone() {
    send(1_000, 20);
    assertThat(recent.share().failed()).isEqualTo(50);
    assertThat(recent.share().isIll()).isFalse();
  }

  @Test
  void fewFailuresSayNothing() {
    send(9, 1);
    assertThat(recent.share()).isEqualTo(new RecentTries.Share(9, 9, Duration.ZERO));
    assertThat(recent.share().isIll()).isFalse();
  }
}
