package dev.holdfast.objectstore;

import java.time.Duration;

/// How long the try of a request may take that this thread sends, where whoever tries again bounds
/// it: a connection that died unnoticed answers nothing, and keeps the request until the time is
/// over that the store allows for any.
public final class TryTime {
  private static final ScopedValue<Duration> MAX = ScopedValue.newInstance();

  private TryTime() {}

  /// Sends a request that ends within that time, if the store can end one: with `Unavailable`, and
  /// what became of it is unknown.
  public static <T> T within(Duration max, StoreRequest<T> request) throws StoreException {
    return ScopedValue.where(MAX, max).call(request::send);
  }

  /// What a store allows for a request of few bytes.
  ///
  /// @param usual when nobody bounds it by less
  public static Duration atMost(Duration usual) {
    return MAX.isBound() && MAX.get().compareTo(usual) < 0 ? MAX.get() : usual;
  }
}
