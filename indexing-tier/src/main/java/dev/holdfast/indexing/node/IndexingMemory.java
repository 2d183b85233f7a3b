package dev.holdfast.indexing.node;

import dev.holdfast.world.ByteSize;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexWriter;

/// Memory of the indexing buffers of all shards of a node, bounded: the writer that goes over the
/// bound flushes the largest buffer itself, so that writing slows down instead of memory filling.
public final class IndexingMemory {
  private final ConcurrentHashMap<IndexWriter, Long> buffers = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();
  private final long bytesMax;

  public IndexingMemory(ByteSize max) {
    bytesMax = max.bytes();
  }

  /// Notes what a writer's buffer holds now, and makes room when all together hold too much.
  public void note(IndexWriter writer) throws IOException {
    record(writer, writer.ramBytesUsed());
    if (bytes.get() > bytesMax) {
      IndexWriter largest = largest(writer);
      if (largest.isOpen()) {
        largest.flushNextBuffer();
        record(largest, largest.ramBytesUsed());
      }
    }
  }

  public void forget(IndexWriter writer) {
    Long before = buffers.remove(writer);
    bytes.addAndGet(before == null ? 0 : -before);
  }

  long bytes() {
    return bytes.get();
  }

  private void record(IndexWriter writer, long now) {
    Long before = buffers.put(writer, now);
    bytes.addAndGet(now - (before == null ? 0 : before));
  }

  private IndexWriter largest(IndexWriter whenNone) {
    return buffers.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(whenNone);
  }
}
