package dev.holdfast.indexing.version;

import dev.holdfast.indexing.operation.WriteOperation;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The newest versions of documents that the shard's internal reader does not show yet, by id; and
/// of documents deleted a short while ago.
///
/// A writer puts an id after Lucene has the operation and while it holds the id. The reader's
/// reopening begins with [#beginReopen] (ids go to a fresh generation from then on) and ends with
/// [#endReopen] (the old generation is in the reader). Ids made by the server are only counted, not
/// put, unless somebody has looked for one lately: see [#mayLack].
public final class VersionMap {
  private static final int ENTRY_BYTES = 120;

  /// Reopenings during which sources are kept after somebody asked for one.
  private static final int SOURCES_KEPT = 32;

  /// Sources that are kept between two reopenings, so that they alone never force one; whoever asks
  /// for one beyond has the reader reopened.
  private static final long SOURCE_BYTES_MAX = 2 << 20;

  /// What is known of an id.
  ///
  /// @param nanos when it was put
  /// @param source the document, after an update and while [#keepsSources]: who asks for it needs
  ///   no reader
  public record Entry(
      long seqNo,
      long primaryTerm,
      long version,
      boolean isDeleted,
      long nanos,
      @Nullable Source source) {}

  /// A document held in memory.
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  public record Source(byte[] bytes, @Nullable String routing) {
    /// The document of an `index` or `create`, whose bytes are part of a request's body.
    public static Source copy(WriteOperation operation) {
      int end = operation.offset() + operation.length();
      return new Source(
          Arrays.copyOfRange(operation.bytes(), operation.offset(), end), operation.routing());
    }
  }

  private static final class Generation {
    final LongAdder sourceBytes = new LongAdder();
    final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
    final LongAdder bytes = new LongAdder();
    final LackedIds lacked = new LackedIds();
  }

  /// Which ids may be among those that were only counted: a bit for each length. Ids that are asked
  /// for by people, and those that the server makes, differ in it.
  private static final class LackedIds {
    private final AtomicLong lengths = new AtomicLong();

    void add(long more) {
      if ((lengths.get() & more) != more) {
        lengths.accumulateAndGet(more, (a, b) -> a | b);
      }
    }

    static long bit(String id) {
      return 1L << Math.min(id.length(), Long.SIZE - 1);
    }
  }

  private record Generations(Generation current, Generation old) {}

  private final ConcurrentHashMap<String, Entry> tombstones = new ConcurrentHashMap<>();
  private volatile Generations generations = new Generations(new Generation(), new Generation());
  private volatile boolean recordsAppends;
  private volatile boolean wasAskedInVain;
  private volatile int sourcesKept;

  /// The newest entry, or null when the reader knows (or, after appends, may not know).
  public @Nullable Entry entry(String id) {
    Generations now = generations;
    Entry entry = now.current.entries.get(id);
    if (entry == null) {
      entry = now.old.entries.get(id);
    }
    return entry == null ? tombstones.get(id) : entry;
  }

  /// Whether a document of this id may have been appended that neither this map nor the reader
  /// shows: reopen the reader before concluding that it does not exist.
  boolean mayLack(String id) {
    Generations now = generations;
    long lengths = now.current.lacked.lengths.get() | now.old.lacked.lengths.get();
    return (lengths & LackedIds.bit(id)) != 0;
  }

  /// Somebody looked for an id that [#mayLack]: appends are put from now on, until a while passes
  /// without such a question.
  void recordAppends() {
    wasAskedInVain = true;
    recordsAppends = true;
  }

  /// Somebody asked for a document that the reader does not show: those that are written from now
  /// on are kept until a while passes without such a question. Without it each question would cut a
  /// segment of its own out of the writer's buffer.
  void askForSources() {
    if (sourcesKept != SOURCES_KEPT) {
      sourcesKept = SOURCES_KEPT;
    }
  }

  /// Whether a document that is written now shall be put with its source.
  public boolean keepsSources() {
    return sourcesKept > 0 && generations.current.sourceBytes.sum() < SOURCE_BYTES_MAX;
  }

  public void put(String id, Entry entry) {
    if (entry.isDeleted()) {
      tombstones.put(id, entry);
    }
    Generation current = generations.current;
    current.entries.put(id, entry);
    Source source = entry.source();
    int sourceBytes = source == null ? 0 : source.bytes.length;
    current.bytes.add(ENTRY_BYTES + 2L * id.length() + sourceBytes);
    current.sourceBytes.add(sourceBytes);
    if (!entry.isDeleted()) {
      tombstones.remove(id);
    }
  }

  /// A document with a new id made by the server.
  public void append(String id, Entry entry) {
    if (recordsAppends) {
      put(id, entry);
    } else {
      generations.current.lacked.add(LackedIds.bit(id));
    }
  }

  void beginReopen() {
    generations = new Generations(new Generation(), generations.current);
    sourcesKept = Math.max(0, sourcesKept - 1);
    recordsAppends = wasAskedInVain;
    wasAskedInVain = false;
  }

  void endReopen() {
    generations = new Generations(generations.current, new Generation());
  }

  /// The reopening failed: what is old is still not in the reader.
  void abortReopen() {
    Generations now = generations;
    now.old.entries.forEach(now.current.entries::putIfAbsent);
    now.current.bytes.add(now.old.bytes.sum());
    now.current.sourceBytes.add(now.old.sourceBytes.sum());
    now.current.lacked.add(now.old.lacked.lengths.get());
    endReopen();
  }

  /// Forgets deletes that were put before `nanos`; call it only for a time before the begin of the
  /// newest completed reopening.
  ///
  /// @param durableSeqNo a delete with a higher number is not durable: whoever finds nothing must
  ///   know that
  public void forgetDeletes(long nanos, long durableSeqNo) {
    if (!tombstones.isEmpty()) {
      tombstones
          .values()
          .removeIf(entry -> entry.nanos() - nanos < 0 && entry.seqNo() <= durableSeqNo);
    }
  }

  /// Whether it holds no id, tombstones left out.
  boolean isEmpty() {
    Generations now = generations;
    return now.current.entries.isEmpty() && now.old.entries.isEmpty();
  }

  /// Estimated memory, tombstones left out.
  public long bytes() {
    Generations now = generations;
    return now.current.bytes.sum() + now.old.bytes.sum();
  }

  public int tombstones() {
    return tombstones.size();
  }
}
