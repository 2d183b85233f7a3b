package dev.holdfast.codec.bloom;

import java.util.Arrays;
import org.apache.lucene.util.BytesRef;

/// Tells ids that were made in rows, which differ in their last characters only: of those a terms
/// dictionary sees by its index alone which it does not have.
final class NeighbouringIds {
  /// Of ids that the server makes, and of their part that stays the same for a row.
  private static final int LENGTH = 20;

  private static final int SHARED = 16;

  /// One in so many may begin a row.
  private static final int ROW_MIN = 16;

  private final byte[] before = new byte[SHARED];
  private long ids;
  private long rows;

  /// Ids come in ascending order.
  void add(BytesRef id) {
    ids++;
    if (id.length != LENGTH
        || !Arrays.equals(id.bytes, id.offset, id.offset + SHARED, before, 0, SHARED)) {
      rows++;
      System.arraycopy(id.bytes, id.offset, before, 0, Math.min(id.length, SHARED));
    }
  }

  boolean areClose() {
    return rows * ROW_MIN <= ids;
  }
}
