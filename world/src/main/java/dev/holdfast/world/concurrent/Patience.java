package dev.holdfast.world.concurrent;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How long a client is willing to wait, as far as its request says so. It holds for all that the
/// thread does within [#during]; other threads are handed it by [#handedOn].
public final class Patience {
  /// For a leader of the cluster and its store (`master_timeout`).
  public static final Patience LEADER = new Patience();

  /// For a shard that moves, recovers or has no owner (`timeout` of writes).
  public static final Patience SHARD = new Patience();

  private final ScopedValue<Supplier<@Nullable Duration>> limit = ScopedValue.newInstance();

  private Patience() {}

  /// The shorter of what the client wants and of what is allowed.
  ///
  /// @param max when the client does not say, or wants to wait without end (negative)
  public Duration atMost(Duration max) {
    Duration wanted = limit.isBound() ? limit.get().get() : null;
    return wanted == null || wanted.isNegative() || wanted.compareTo(max) > 0 ? max : wanted;
  }

  /// Does something within the client's patience.
  ///
  /// @param wanted asked when somebody is about to wait; null for as long as is allowed
  public <T> T during(Supplier<@Nullable Duration> wanted, Callable<T> work) throws Exception {
    return ScopedValue.where(limit, wanted).call(work::call);
  }

  /// The same work for another thread, with the patience of this one.
  public <T> Callable<T> handedOn(Callable<T> work) {
    if (!limit.isBound()) {
      return work;
    }
    Supplier<@Nullable Duration> wanted = limit.get();
    return () -> during(wanted, work);
  }
}
