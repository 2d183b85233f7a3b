package dev.holdfast.blobcache;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Bytes of a blob that can be read from memory now. Reading a segment whose region was evicted
/// throws `IllegalStateException`: it never shows other bytes.
///
/// @param start where the segment begins in the blob
/// @param region that holds them, to be touched by readers; null for bytes on the heap
record Window(MemorySegment segment, long start, @Nullable Region region) {
  static Window ofHeap(byte[] bytes, long start) {
    return new Window(MemorySegment.ofArray(bytes), start, null);
  }
}
