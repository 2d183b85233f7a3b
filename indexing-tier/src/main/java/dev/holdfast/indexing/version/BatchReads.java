package dev.holdfast.indexing.version;

import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.SourceReading;
import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.StoredFields;
import org.jspecify.annotations.Nullable;

/// Documents of a shard read one after the other, as the updates of a batch do: ids that lie close
/// to each other lie in one block of stored fields, which is unpacked once. Of one thread; holds a
/// reader until it is closed.
public final class BatchReads implements Closeable {
  private final LiveReader live;
  private @Nullable Open open;

  /// What is open of one reader.
  private record Open(DirectoryReader reader, IdLookup lookup, StoredFields fields) {}

  /// @param live of the shard
  public BatchReads(LiveReader live) {
    this.live = live;
  }

  /// The document of that id in the newest reader.
  RealTimeDocument find(String id, SourceReading sources) throws IOException {
    Open now = newest();
    IdLookup.Found found = now.lookup.find(id);
    if (found == null) {
      return RealTimeDocument.missing();
    }
    LiveReader.Stored stored = LiveReader.stored(now.reader, now.fields, sources, found.document());
    return new RealTimeDocument(
        true,
        found.seqNo(),
        found.primaryTerm(),
        found.version(),
        stored.routing(),
        stored.source());
  }

  @SuppressWarnings("ReferenceEquality") // a reader that shows nothing newer is the same object
  private Open newest() throws IOException {
    DirectoryReader newest = live.acquire();
    Open known = open;
    if (known != null && known.reader == newest) {
      newest.decRef();
      return known;
    }
    boolean isKept = false;
    try {
      Open next = new Open(newest, new IdLookup(newest), newest.storedFields());
      close();
      open = next;
      isKept = true;
      return next;
    } finally {
      if (!isKept) {
        newest.decRef();
      }
    }
  }

  @Override
  public void close() throws IOException {
    Open last = open;
    open = null;
    if (last != null) {
      last.reader.decRef();
    }
  }
}
