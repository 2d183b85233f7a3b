package dev.holdfast.blobcache;

import dev.holdfast.blobcache.region.Region;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The window of a [CachedBlobInput] in that input's coordinates; in one object, so that a reader
/// on another thread sees parts that belong together.
final class InputWindow {
  static final InputWindow NONE =
      new InputWindow(MemorySegment.NULL, Long.MAX_VALUE, 0, null, false);

  final MemorySegment segment;

  /// Where the segment begins; not negative.
  final long start;

  /// Where what this input may read of it ends.
  final long end;

  final @Nullable Region region;
  final boolean isUse;

  InputWindow(MemorySegment segment, long start, long end, @Nullable Region region, boolean isUse) {
    this.segment = segment;
    this.start = start;
    this.end = end;
    this.region = region;
    this.isUse = isUse;
  }
}
