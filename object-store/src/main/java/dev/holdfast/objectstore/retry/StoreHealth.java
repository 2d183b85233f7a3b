package dev.holdfast.objectstore.retry;

import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.StoreTrouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Which requests to the store fail now: those that are being tried again, and the newest that was
/// given up, until another one succeeds; it has failed since the first that was given up. Kept by
/// [Retrying]; costs a request that succeeds at its first try one volatile read.
public final class StoreHealth {
  /// A request that was given up says no more after this.
  static final Duration GIVEN_UP_MAX = Duration.ofSeconds(60);

  /// How often the log tells of requests that succeed at their second or third try.
  static final Duration TOLD_EVERY = Duration.ofSeconds(10);

  private final AtomicLong requests = new AtomicLong();
  private final ConcurrentHashMap<Long, Entry> retried = new ConcurrentHashMap<>();
  private volatile @Nullable GivenUp givenUp;

  // Guarded by this.
  private final Map<StoreFailure, Long> toldNanos = new EnumMap<>(StoreFailure.class);

  private record Entry(Object by, StoreTrouble trouble) {}

  private record GivenUp(StoreTrouble newest, long sinceNanos, long nanos) {
    StoreTrouble at(long nowNanos) {
      return new StoreTrouble(
          newest.failure(),
          newest.request(),
          newest.key(),
          newest.message(),
          nowNanos - (nanos - sinceNanos),
          newest.tries());
    }
  }

  /// One request that failed.
  final class Failing {
    private final long number = requests.incrementAndGet();
    private final Object by;

    private Failing(Object by) {
      this.by = by;
    }

    void failed(StoreTrouble trouble) {
      retried.put(number, new Entry(by, trouble));
    }

    void succeeded() {
      retried.remove(number);
    }

    void gaveUp(StoreTrouble trouble, long nowNanos) {
      GivenUp before = givenUp;
      givenUp =
          new GivenUp(trouble, before == null ? trouble.sinceNanos() : before.sinceNanos, nowNanos);
      retried.remove(number);
    }
  }

  /// Whether a first failure of that kind is told, or others were just now.
  synchronized boolean mayTell(StoreFailure failure, long nowNanos) {
    Long before = toldNanos.get(failure);
    if (before != null && nowNanos - before < TOLD_EVERY.toNanos()) {
      return false;
    }
    toldNanos.put(failure, nowNanos);
    return true;
  }

  /// @param by who tries again
  Failing begin(Object by) {
    return new Failing(by);
  }

  /// A request succeeded.
  void succeeded() {
    if (givenUp != null) {
      givenUp = null;
    }
  }

  /// Requests that fail, the longest first.
  ///
  /// @param nowNanos by the clock of those who try
  /// @param longerThan left out are those that have failed for less
  public List<StoreTrouble> failing(long nowNanos, Duration longerThan) {
    List<StoreTrouble> all = new ArrayList<>();
    GivenUp last = givenUp;
    if (last != null && nowNanos - last.nanos < GIVEN_UP_MAX.toNanos()) {
      all.add(last.at(nowNanos));
    }
    retried.values().forEach(entry -> all.add(entry.trouble));
    return all.stream()
        .filter(trouble -> nowNanos - trouble.sinceNanos() >= longerThan.toNanos())
        .sorted(Comparator.comparingLong(trouble -> trouble.sinceNanos() - nowNanos))
        .toList();
  }

  /// The request of that retrier that has failed longest, of those whose key begins so.
  Optional<StoreTrouble> of(Object by, String prefix) {
    return retried.values().stream()
        .filter(entry -> entry.by.equals(by) && entry.trouble.key().startsWith(prefix))
        .map(Entry::trouble)
        .min(Comparator.comparingLong(StoreTrouble::sinceNanos));
  }
}
