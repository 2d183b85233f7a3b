package dev.holdfast.indexing.version;

import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.SourceReading;
import dev.holdfast.world.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DocumentStoredFieldVisitor;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The shard's internal near-real-time reader: for look-ups by id while writing and for real-time
/// gets, never for searches. It is reopened when a look-up needs it, and with refreshes while ids
/// wait for it in the version map.
public final class LiveReader implements Closeable {
  private static final Set<String> SOURCE_AND_ROUTING =
      Set.of(MetadataFields.SOURCE, MetadataFields.ROUTING);

  /// Segments that were merged away live as long as the reader that shows them.
  private static final Duration KEPT_MAX = Duration.ofSeconds(30);

  private final IndexWriter writer;
  private final VersionMap versions;
  private final Clock clock;
  private final ReentrantLock reopening = new ReentrantLock();
  private volatile DirectoryReader current;
  private volatile long reopenBegunNanos;

  /// A commit was made after the newest reopening.
  private volatile boolean isBehind;

  private volatile boolean isClosed;

  public LiveReader(IndexWriter writer, VersionMap versions, Clock clock) throws IOException {
    this.writer = writer;
    this.versions = versions;
    this.clock = clock;
    this.current = DirectoryReader.open(writer);
    this.reopenBegunNanos = clock.nanoTime();
  }

  /// A reference to the newest reader; the caller calls `decRef`.
  ///
  /// @throws AlreadyClosedException when this was closed
  DirectoryReader acquire() {
    while (!isClosed) {
      DirectoryReader reader = current;
      if (reader.tryIncRef()) {
        return reader;
      }
    }
    throw new AlreadyClosedException("the reader was closed with its shard");
  }

  /// Shows everything that Lucene had when this was called, and forgets it from the version map.
  public void reopen() throws IOException {
    DirectoryReader replaced = reopened();
    if (replaced != null) {
      replaced.decRef(); // nobody waits for us while its files are closed
    }
  }

  /// Returns the reader that was replaced, whose reference the caller gives back; null for none.
  private @Nullable DirectoryReader reopened() throws IOException {
    reopening.lock();
    try {
      if (isClosed) {
        throw new AlreadyClosedException("the reader was closed with its shard");
      }
      long begunNanos = clock.nanoTime();
      isBehind = false;
      versions.beginReopen();
      boolean isDone = false;
      try {
        DirectoryReader before = current;
        DirectoryReader newer = DirectoryReader.openIfChanged(before, writer, true);
        if (newer != null) {
          current = newer;
        }
        isDone = true;
        return newer == null ? null : before;
      } finally {
        if (isDone) {
          versions.endReopen();
          reopenBegunNanos = begunNanos;
        } else {
          isBehind = true;
          versions.abortReopen();
        }
      }
    } finally {
      reopening.unlock();
    }
  }

  /// A commit was made. While documents are only appended and nobody asks for one, reopening would
  /// do nothing but cut the next segment in two.
  public void committed() throws IOException {
    isBehind = true;
    if (!versions.isEmpty()) {
      reopen();
    }
  }

  /// Whether it has long not shown the newest commit, and may hold what is needed no more.
  public boolean isOld(long nowNanos) {
    return isBehind && nowNanos - reopenBegunNanos > KEPT_MAX.toNanos();
  }

  /// Reopens when it does not show the newest commit. Returns whether it did.
  public boolean showCommitted() throws IOException {
    boolean wasBehind = isBehind;
    if (wasBehind) {
      reopen();
    }
    return wasBehind;
  }

  /// Reopens when a document of this id may have been appended that neither the version map nor the
  /// reader shows.
  void showAppend(String id) throws IOException {
    if (versions.mayLack(id)) {
      versions.recordAppends();
      reopen();
    }
  }

  /// When the newest completed reopening began.
  public long reopenBegunNanos() {
    return reopenBegunNanos;
  }

  /// A document as stored.
  ///
  /// @param source null when the index keeps none
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Stored(byte @Nullable [] source, @Nullable String routing) {}

  /// The stored document of a number that [IdLookup] found in `reader`.
  ///
  /// @param fields of `reader`
  static Stored stored(
      DirectoryReader reader, StoredFields fields, SourceReading sources, int document)
      throws IOException {
    DocumentStoredFieldVisitor visitor = new DocumentStoredFieldVisitor(SOURCE_AND_ROUTING);
    fields.document(document, visitor);
    Document stored = visitor.getDocument();
    BytesRef source = stored.getBinaryValue(MetadataFields.SOURCE);
    byte[] bytes = source == null ? null : BytesRef.deepCopyOf(source).bytes;
    LeafReaderContext leaf = reader.leaves().get(ReaderUtil.subIndex(document, reader.leaves()));
    return new Stored(sources.read(leaf.reader(), document - leaf.docBase, bytes), routing(stored));
  }

  private static @Nullable String routing(Document stored) {
    BytesRef routing = stored.getBinaryValue(MetadataFields.ROUTING);
    return routing == null ? null : routing.utf8ToString();
  }

  @Override
  public void close() throws IOException {
    reopening.lock();
    try {
      isClosed = true;
      current.decRef();
    } finally {
      reopening.unlock();
    }
  }
}
