package dev.holdfast.query.aggregation.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What each bucket gathers, made when its first document comes. For what is an object anyway, as a
/// sketch; plain numbers of buckets lie in arrays.
public final class PerBucket<T> {
  private final Supplier<T> make;
  private final List<@Nullable T> all = new ArrayList<>();

  public PerBucket(Supplier<T> make) {
    this.make = make;
  }

  /// What a bucket gathers.
  public T of(long bucket) {
    while (all.size() <= bucket) {
      all.add(null);
    }
    T one = all.get((int) bucket);
    if (one == null) {
      one = make.get();
      all.set((int) bucket, one);
    }
    return one;
  }

  /// What a bucket has gathered; null when no document came.
  public @Nullable T find(long bucket) {
    return bucket < all.size() ? all.get((int) bucket) : null;
  }
}
