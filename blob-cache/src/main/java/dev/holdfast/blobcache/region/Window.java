package dev.holdfast.blobcache.region;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Bytes of a blob that can be read from memory now. Reading a segment whose region was evicted
/// throws `IllegalStateException`: it never shows other bytes.
///
/// @param start where the segment begins in the blob
/// @param region that holds them; null for bytes on the heap
/// @param isUse whether who reads them uses the region, rather than passes through
public record Window(MemorySegment segment, long start, @Nullable Region region, boolean isUse) {
  public static Window ofHeap(byte[] bytes, long start) {
    return new Window(MemorySegment.ofArray(bytes), start, null, false);
  }

  /// How much of what was asked for lies here.
  public long answered(ReadRequest request) {
    return Math.min(request.wantedBytes(), start + segment.byteSize() - request.position());
  }
}
