package dev.holdfast.indexing.node;

import dev.holdfast.world.ByteSize;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Memory of the indexing buffers of all shards of a node, bounded: the writer that goes over the
/// bound flushes the largest buffer itself, so that writing slows down instead of memory filling.
public final class IndexingMemory {
  private static final Logger LOG = LoggerFactory.getLogger(IndexingMemory.class);

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
      makeRoom(writer);
    }
  }

  /// Flushes the largest buffer, whosever it is. What befalls another shard there is no failure of
  /// the one that asks: its own buffer is flushed then.
  private void makeRoom(IndexWriter asking) throws IOException {
    IndexWriter largest = largest(asking);
    while (!largest.equals(asking)) {
      try {
        if (largest.isOpen()) {
          largest.flushNextBuffer();
          record(largest, largest.ramBytesUsed());
          return;
        }
      } catch (AlreadyClosedException e) {
        LOG.debug("a shard was closed while its buffer was to be written", e);
      } catch (IOException | RuntimeException e) {
        LOG.warn("the buffer of another shard cannot be written", e);
        break;
      }
      forget(largest); // closed: it holds nothing
      largest = largest(asking);
    }
    asking.flushNextBuffer();
    record(asking, asking.ramBytesUsed());
  }

  /// The writer is closed.
  public void forget(IndexWriter writer) {
    Long before = buffers.remove(writer);
    bytes.addAndGet(before == null ? 0 : -before);
  }

  long bytes() {
    return bytes.get();
  }

  /// What a writer's buffer held when it was noted last.
  public long bytes(IndexWriter writer) {
    return buffers.getOrDefault(writer, 0L);
  }

  private void record(IndexWriter writer, long now) {
    Long before = buffers.put(writer, now);
    bytes.addAndGet(now - (before == null ? 0 : before));
    if (!writer.isOpen()) { // whoever closed it may have been here before
      forget(writer);
    }
  }

  private IndexWriter largest(IndexWriter whenNone) {
    return buffers.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(whenNone);
  }
}
