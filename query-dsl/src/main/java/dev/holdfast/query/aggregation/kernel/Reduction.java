package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.document.date.BucketSpan;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import org.jspecify.annotations.Nullable;

/// The final step of one request: counts the buckets that the answer will hold.
public final class Reduction {
  /// The most buckets of one answer unless `search.max_buckets` says otherwise.
  public static final int BUCKETS_MAX = 65_536;

  /// A bucket with its key, before its sub-aggregations.
  static final long BUCKET_BYTES = 64;

  private final int bucketsMax;
  private final Reservation memory;
  private int buckets;
  private @Nullable BucketSpan span;

  /// @param bucketsMax `search.max_buckets`
  /// @param memory for the buckets of the answer
  public Reduction(int bucketsMax, Reservation memory) {
    this.bucketsMax = bucketsMax;
    this.memory = memory;
  }

  /// @throws Refusal `too_many_buckets_exception` past the limit
  public void add(long more) {
    if (more > bucketsMax - buckets) {
      throw tooManyBuckets(bucketsMax);
    }
    buckets += (int) more;
    hold(more);
  }

  /// Notes buckets that are made, whether the answer will show them or not.
  ///
  /// @throws Refusal `circuit_breaking_exception` (429)
  public void hold(long made) {
    memory.add(made * BUCKET_BYTES);
  }

  /// Reduces what is below a bucket of time.
  ///
  /// @param within null where buckets around say more
  public Results below(@Nullable BucketSpan within, AggregationTree tree, Results merged) {
    BucketSpan outer = span;
    span = within == null ? outer : within;
    Results reduced = tree.reduce(merged, this);
    span = outer;
    return reduced;
  }

  /// The time of the bucket that is reduced; null where no bucket around is one of time.
  public @Nullable BucketSpan span() {
    return span;
  }

  public int bucketsLeft() {
    return bucketsMax - buckets;
  }

  public static Refusal tooManyBuckets(int bucketsMax) {
    return new Refusal(
            ErrorType.TOO_MANY_BUCKETS,
            "Trying to create too many buckets. Must be less than or equal to: ["
                + bucketsMax
                + "] but this number of buckets was exceeded. This limit can be set by changing"
                + " the [search.max_buckets] cluster level setting.")
        .with("max_buckets", bucketsMax);
  }
}
