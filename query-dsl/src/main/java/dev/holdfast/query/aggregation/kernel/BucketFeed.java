package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Passing pairs of document and bucket on to sub-aggregations, at most a block at a time. Where
/// each level makes many of one there is no end of them: the work may be ended between two blocks.
public final class BucketFeed {
  private BucketFeed() {}

  public static void feed(Collecting.@Nullable Leaf below, int[] docs, long[] buckets, int count)
      throws IOException {
    if (below == null || count == 0) {
      return;
    }
    StopSignal.poll();
    if (count <= Collecting.BLOCK) {
      below.collect(docs, buckets, count);
      return;
    }
    for (int start = 0; start < count; start += Collecting.BLOCK) {
      int end = Math.min(count, start + Collecting.BLOCK);
      StopSignal.poll();
      below.collect(
          Arrays.copyOfRange(docs, start, end),
          Arrays.copyOfRange(buckets, start, end),
          end - start);
    }
  }
}
