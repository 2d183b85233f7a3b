package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.world.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What each bucket gathers, made when its first document comes. For what is an object anyway, as a
/// sketch; plain numbers of buckets lie in arrays.
public final class PerBucket<T> {
  /// The object's header.
  private static final long OBJECT_BYTES = 24;

  /// A place in the list, half of which may be empty.
  private static final long PLACE_BYTES = 8;

  private final Supplier<T> make;
  private final Reservation memory;
  private final List<@Nullable T> all = new ArrayList<>();

  /// @param make what a bucket gathers; notes its own memory as far as it grows
  public PerBucket(Supplier<T> make, Reservation memory) {
    this.make = make;
    this.memory = memory;
  }

  /// What a bucket gathers.
  public T of(long bucket) {
    while (all.size() <= bucket) {
      memory.add(PLACE_BYTES);
      all.add(null);
    }
    T one = all.get((int) bucket);
    if (one == null) {
      memory.add(OBJECT_BYTES);
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
