package dev.holdfast.objectstore.retry;

import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.objectstore.TryTime;
import java.time.Duration;

/// The first tries of what a whole node or cluster waits for end sooner than others: a connection
/// that died unnoticed would hold up all writes, or cost a leader its lease. Each try may take
/// twice as long as the one before, so that a store that is merely slow is not asked in vain for
/// ever.
final class FirstTries {
  /// A leader asks again before its silence counts (decision 021).
  static final Duration LEASE_MAX = Duration.ofMillis(1_500);

  /// Of files of logs and of cluster states, which take this time and that for their bytes.
  static final Duration WRITE_MAX = Duration.ofSeconds(5);

  static final String PUT_IF_ABSENT = "put if absent";

  /// No store allows more for a request of few bytes.
  private static final int DOUBLINGS_MAX = 6;

  private static final String LEASE = "cluster/lease";
  private static final String CLUSTER = "cluster/";
  private static final String LOG = "log/";

  private FirstTries() {}

  /// @param before tries that failed
  static <T> T send(String what, String key, int before, StoreRequest<T> request)
      throws StoreException {
    boolean isLease = key.equals(LEASE);
    boolean isWrite =
        what.equals(PUT_IF_ABSENT) && (key.startsWith(LOG) || key.startsWith(CLUSTER));
    if (before > DOUBLINGS_MAX || !(isLease || isWrite)) {
      return request.send();
    }
    Duration first = isLease ? LEASE_MAX : WRITE_MAX;
    return TryTime.within(first.multipliedBy(1L << before), request);
  }
}
