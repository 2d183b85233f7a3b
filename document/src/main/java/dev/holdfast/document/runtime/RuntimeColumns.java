package dev.holdfast.document.runtime;

import dev.holdfast.world.Breakers;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.jspecify.annotations.Nullable;

/// The columns of runtime fields of all segments of a process, and the memory for them. A column is
/// kept when its search has ended, until its segment is closed or others need the memory: those
/// used longest ago go first. Columns in use never go; a search that needs more than is left is
/// refused.
public final class RuntimeColumns {
  /// Of the heap, for columns that nobody uses.
  private static final int SHARE_OF_HEAP = 10;

  /// Of the columns that were wanted once.
  private static final int WANTED_MAX = 4096;

  private final long keptMax;
  private final CircuitBreaker breaker;

  // Guarded by this, as what follows. In order of use.
  private final LinkedHashMap<Key, Held> kept = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<IndexReader.CacheKey, Boolean> segments = new WeakHashMap<>();
  private final Map<Key, ReentrantLock> reading = new HashMap<>();
  private long bytes;

  // The oldest go.
  private final Map<Wanted, Boolean> wanted =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Wanted, Boolean> eldest) {
          return size() > WANTED_MAX;
        }
      };

  /// A column that some search could have used. Definitions are as long as scripts: their hash is
  /// enough, as the worst that two of one hash do is to make a column at the first use.
  private record Wanted(IndexReader.CacheKey segment, int hash) {}

  /// @param keptMax from how many bytes on columns that nobody uses go
  /// @param breaker the budget of all columns, those being loaded included
  public RuntimeColumns(long keptMax, CircuitBreaker breaker) {
    this.keptMax = keptMax;
    this.breaker = breaker;
  }

  /// @param bytesMax for all columns, those being loaded included
  public RuntimeColumns(long bytesMax) {
    this(bytesMax, new CircuitBreaker("fielddata", bytesMax));
  }

  /// Those of a process: of what nobody uses, a share of its heap is kept.
  public static RuntimeColumns of(Breakers memory) {
    return new RuntimeColumns(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, memory.fieldData());
  }

  /// @param definition of the field: another one of the same path has other values
  private record Key(IndexReader.CacheKey segment, String path, String definition) {}

  /// A column and who uses it.
  static final class Held {
    private final RuntimeColumn column;
    private final long bytes;
    private int users = 1;
    private boolean isKept;

    private Held(RuntimeColumn column, long bytes) {
      this.column = column;
      this.bytes = bytes;
    }

    RuntimeColumn column() {
      return column;
    }
  }

  /// Makes a column that is not there.
  interface Loading {
    /// @param memory hears how many bytes are taken by now, before they grow much beyond it
    RuntimeColumn load(LongConsumer memory) throws IOException;
  }

  /// Whether somebody could have used a column before; whoever asks wants it from now on.
  synchronized boolean wasWanted(LeafReader segment, String path, String definition) {
    IndexReader.CacheHelper helper = segment.getCoreCacheHelper();
    return helper != null
        && wanted.put(
                new Wanted(helper.getKey(), 31 * path.hashCode() + definition.hashCode()), true)
            != null;
  }

  /// The column of a field in a segment if it is there; it must be released.
  @Nullable Held find(LeafReader segment, String path, String definition) {
    IndexReader.CacheHelper helper = segment.getCoreCacheHelper();
    return helper == null ? null : find(new Key(helper.getKey(), path, definition));
  }

  /// The column of a field in a segment, made when it is not there. Each must be released.
  ///
  /// @param waits while others make it; else it is made twice, as it must be where columns are made
  ///   of columns
  /// @throws Refusal `circuit_breaking_exception` (429) when there is no memory,
  ///   `task_cancelled_exception` when `isCancelled` says so
  Held acquire(LeafReader segment, String path, String definition, boolean waits, Loading loading)
      throws IOException {
    IndexReader.CacheHelper helper = segment.getCoreCacheHelper();
    if (helper == null) {
      return load(null, path, loading);
    }
    Key key = new Key(helper.getKey(), path, definition);
    Held known = find(key);
    if (known != null) {
      return known;
    }
    watch(helper);
    if (!waits) {
      return load(key, path, loading);
    }
    ReentrantLock turn = turn(key);
    try {
      known = find(key); // another search may have read it meanwhile
      return known == null ? load(key, path, loading) : known;
    } finally {
      end(turn, key);
    }
  }

  /// Waits until nobody else reads that column.
  private ReentrantLock turn(Key key) {
    ReentrantLock turn;
    synchronized (this) {
      turn = reading.computeIfAbsent(key, _ -> new ReentrantLock());
    }
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled", e);
    }
    return turn;
  }

  private synchronized void end(ReentrantLock turn, Key key) {
    if (!turn.hasQueuedThreads()) {
      boolean _ = reading.remove(key, turn);
    }
    turn.unlock();
  }

  private Held load(@Nullable Key key, String path, Loading loading) throws IOException {
    Reserved reserved = new Reserved(path);
    boolean isDone = false;
    try {
      RuntimeColumn column = loading.load(reserved::resize);
      isDone = true;
      return keep(key, new Held(column, reserved.bytes));
    } finally {
      if (!isDone) {
        reserved.resize(0);
      }
    }
  }

  private synchronized @Nullable Held find(Key key) {
    Held known = kept.get(key);
    if (known != null) {
      known.users++;
    }
    return known;
  }

  /// Columns go with their segment.
  private void watch(IndexReader.CacheHelper helper) {
    boolean isNew;
    synchronized (this) {
      isNew = segments.put(helper.getKey(), true) == null;
    }
    if (isNew) {
      helper.addClosedListener(this::drop);
    }
  }

  /// Keeps a column that was read, or takes the one that somebody else has kept meanwhile.
  private synchronized Held keep(@Nullable Key key, Held read) {
    if (key == null || !segments.containsKey(key.segment)) {
      return read;
    }
    Held known = kept.get(key);
    if (known != null) {
      giveBack(read.bytes);
      known.users++;
      return known;
    }
    read.isKept = true;
    kept.put(key, read);
    return read;
  }

  synchronized void release(Held held) {
    Promise.keep(held.users > 0, "a column is released once for each use");
    held.users--;
    free(held);
  }

  private void free(Held held) {
    if (held.users == 0 && !held.isKept) {
      giveBack(held.bytes);
    }
  }

  private synchronized void drop(IndexReader.CacheKey segment) {
    segments.remove(segment);
    for (Iterator<Map.Entry<Key, Held>> all = kept.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Key, Held> one = all.next();
      if (one.getKey().segment.equals(segment)) {
        all.remove();
        forget(one.getValue());
      }
    }
  }

  private void forget(Held held) {
    held.isKept = false;
    free(held);
  }

  /// Bytes of all columns.
  synchronized long bytes() {
    return bytes;
  }

  /// Makes room for so many more bytes.
  private synchronized void reserve(long more, String path) {
    evict(keptMax - more);
    try {
      breaker.take(more, path);
    } catch (Refusal e) {
      if (!evict(0)) {
        throw e;
      }
      breaker.take(more, path);
    }
    bytes += more;
  }

  /// Forgets columns that nobody uses, while there are more bytes.
  ///
  /// @return whether there were any
  private synchronized boolean evict(long bytesLeft) {
    boolean isAny = false;
    Iterator<Held> oldest = kept.values().iterator();
    while (bytes > bytesLeft && oldest.hasNext()) {
      Held held = oldest.next();
      if (held.users == 0) {
        oldest.remove();
        forget(held);
        isAny = true;
      }
    }
    return isAny;
  }

  private synchronized void giveBack(long less) {
    bytes -= less;
    breaker.giveBack(less);
  }

  /// The memory of a column that is being read.
  private final class Reserved {
    private final String path;
    private long bytes;

    Reserved(String path) {
      this.path = path;
    }

    void resize(long wanted) {
      if (wanted > bytes) {
        reserve(wanted - bytes, path);
      } else {
        giveBack(bytes - wanted);
      }
      bytes = wanted;
    }
  }
}
