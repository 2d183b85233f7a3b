package dev.holdfast.blobcache.blob;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Bytes `[offset, end)` of a blob.
public record ByteRange(long offset, long end) {
  public long length() {
    return end - offset;
  }

  /// Ranges in order, those joined that lie so near that one request is cheaper than two.
  ///
  /// @param gapMax bytes between two ranges that are read along
  public static List<ByteRange> coalesced(List<ByteRange> ranges, long gapMax) {
    List<ByteRange> joined = new ArrayList<>();
    for (ByteRange next :
        ranges.stream().sorted(Comparator.comparingLong(ByteRange::offset)).toList()) {
      ByteRange last = joined.isEmpty() ? null : joined.getLast();
      if (last != null && next.offset - last.end <= gapMax) {
        joined.set(joined.size() - 1, new ByteRange(last.offset, Math.max(last.end, next.end)));
      } else if (next.end > next.offset) {
        joined.add(next);
      }
    }
    return joined;
  }
}
