package dev.holdfast.blobcache.blob;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ranges of a blob that come along with its directory, in memory: what a reader touches while it
/// opens. Immutable.
public final class HotRegion {
  /// A range of a blob.
  ///
  /// @param offset of its first byte within the blob
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  public record Range(long offset, byte[] bytes) {
    public long end() {
      return offset + bytes.length;
    }
  }

  private final List<Range> ranges;
  private final long[] offsets;
  private final long bytes;
  private final @Nullable PageChecksums checksums;

  /// @param ranges ascending and apart
  public HotRegion(List<Range> ranges) {
    this(ranges, null);
  }

  /// @param ranges ascending and apart
  /// @param checksums of the blob's pages, which come along too
  public HotRegion(List<Range> ranges, @Nullable PageChecksums checksums) {
    this.checksums = checksums;
    this.ranges = List.copyOf(ranges);
    this.offsets = ranges.stream().mapToLong(Range::offset).toArray();
    this.bytes = ranges.stream().mapToLong(range -> range.bytes().length).sum();
  }

  public List<Range> ranges() {
    return ranges;
  }

  /// Of the whole blob; null when it has none.
  public @Nullable PageChecksums checksums() {
    return checksums;
  }

  /// Bytes of all ranges.
  public long bytes() {
    return bytes;
  }

  /// The range that holds the byte at `position` of the blob, or null.
  public @Nullable Range covering(long position) {
    int found = Arrays.binarySearch(offsets, position);
    int at = found >= 0 ? found : -found - 2;
    return at >= 0 && position < ranges.get(at).end() ? ranges.get(at) : null;
  }
}
