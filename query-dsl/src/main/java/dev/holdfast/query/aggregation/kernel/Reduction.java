package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// The final step of one request: counts the buckets that the answer will hold.
public final class Reduction {
  /// The most buckets of one answer unless `search.max_buckets` says otherwise.
  public static final int BUCKETS_MAX = 65_536;

  private final int bucketsMax;
  private int buckets;

  public Reduction(int bucketsMax) {
    this.bucketsMax = bucketsMax;
  }

  /// @throws Refusal `too_many_buckets_exception` past the limit
  public void add(long more) {
    if (more > bucketsMax - buckets) {
      throw tooManyBuckets(bucketsMax);
    }
    buckets += (int) more;
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
