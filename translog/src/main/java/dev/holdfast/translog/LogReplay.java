package dev.holdfast.translog;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.LogFence;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Suffix;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.translog.LogEnds.File;
import dev.holdfast.translog.LogFile.Entry;
import dev.holdfast.translog.LogFile.Tail;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Promise;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Begun;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the logs of dead nodes for shards that recover (§5, translog recovery): fences a log
/// first, so that nothing can be added to it, then hands out the operations of one shard in the
/// order of files. One object serves all shards of a node's start: ends of logs and directories are
/// remembered, and what shards that recover at the same time read is read once.
public final class LogReplay {
  private static final Logger LOG = LoggerFactory.getLogger(LogReplay.class);

  /// Files read at once: a shard that is written now and then needs little of each of some hundred
  /// small files, and waits for little else.
  private static final int AHEAD_MAX = 64;

  /// Of those files together: what waits in memory.
  private static final long AHEAD_BYTES_MAX = 64L << 20;

  private final World world;
  private final ObjectStore store;
  private final String self;
  private final LogSuffixes suffixes;
  private final LogEnds ends;
  private final ShardsByFile contents = new ShardsByFile();

  /// @param self this node's ephemeral id, written into fences for people
  public LogReplay(World world, ObjectStore store, String self) {
    this.world = world;
    this.store = store;
    this.self = self;
    this.suffixes = new LogSuffixes(store);
    this.ends = new LogEnds(store, self);
  }

  /// Takes a file's operations of the shard, in order.
  public interface Consumer {
    void accept(long primaryTerm, List<Operation> operations)
        throws IOException, InterruptedException;
  }

  /// What a shard wants of a log.
  ///
  /// @param nodeEphemeralId whose log
  /// @param fromOrdinal the first file that matters
  /// @param bounds what the cluster state knows of the log; null for nothing, and then nothing is
  ///   proven: no operation was acknowledged
  /// @param acceptsLoss goes on without files that are missing or damaged
  public record Wanted(
      ShardId shard,
      String nodeEphemeralId,
      long fromOrdinal,
      @Nullable LogBounds bounds,
      boolean acceptsLoss) {
    /// With no proof of what must be there.
    public static Wanted of(ShardId shard, String nodeEphemeralId, long fromOrdinal) {
      return new Wanted(shard, nodeEphemeralId, fromOrdinal, null, false);
    }

    /// Files below were needed by nobody and may have been deleted.
    private long low() {
      return bounds == null ? fromOrdinal : Math.max(fromOrdinal, bounds.low());
    }

    private String key(long ordinal) {
      return LogFile.key(nodeEphemeralId, ordinal);
    }
  }

  /// Hands out every operation of the shard in the log of a dead node, from a file on.
  ///
  /// @param wanted never of this node's own log
  /// @return operations handed out
  /// @throws LostObjectException when a file is missing that may hold an operation of the shard
  public long replay(Wanted wanted, Consumer consumer) throws IOException, InterruptedException {
    Promise.keep(
        !wanted.nodeEphemeralId.equals(self),
        "a node does not fence its own log",
        "shard",
        wanted.shard,
        "node",
        self);
    suffixes.begin();
    try {
      List<File> files = ends.fenced(wanted.nodeEphemeralId, wanted.fromOrdinal);
      long known = known(wanted, files);
      checkFiles(wanted, files, known);
      return replayFiles(wanted, from(wanted, upToGap(wanted, files, known)), consumer);
    } catch (StoreException.NotFound | LostObjectException | CorruptObjectException e) {
      // Its last delete of files that no shard needs came through, or somebody puts back what is
      // missing: the next try lists anew.
      ends.forget(wanted.nodeEphemeralId);
      throw e;
    } finally {
      suffixes.end();
    }
  }

  /// As [#replay] for this node's own log, which goes on: a shard that failed, or was closed, is
  /// opened again by the same process. Nothing is fenced.
  ///
  /// @param endOrdinal exclusive; every file before it is durable
  public long replayOwn(Wanted wanted, long endOrdinal, Consumer consumer)
      throws IOException, InterruptedException {
    List<File> files =
        ends.found(wanted.nodeEphemeralId, Math.max(0, wanted.fromOrdinal - 1)).values().stream()
            .filter(file -> file.ordinal() < endOrdinal)
            .toList();
    suffixes.begin();
    try {
      checkFiles(wanted, files, endOrdinal - 1);
      return replayFiles(wanted, from(wanted, files), consumer);
    } finally {
      suffixes.end();
    }
  }

  private static List<File> from(Wanted wanted, List<File> files) {
    return files.stream().filter(file -> file.ordinal() >= wanted.low()).toList();
  }

  /// The last file of a dead node's log that is known to have been there: the cluster state, the
  /// commit and the newest files say so. A commit is uploaded when all files before the one that it
  /// points at are durable.
  private long known(Wanted wanted, List<File> files) throws IOException {
    LogBounds bounds = wanted.bounds;
    long known = Math.max(bounds == null ? -1 : bounds.durable(), wanted.fromOrdinal - 1);
    for (File file : files.reversed()) {
      if (file.ordinal() <= known) {
        return known; // it says less
      }
      try {
        return Math.max(known, directory(wanted.key(file.ordinal())).directory.durable());
      } catch (LostObjectException | CorruptObjectException e) {
        LOG.debug("a damaged file says nothing of those before it", e);
      }
    }
    return known;
  }

  /// The files up to the first that is missing and not known to have been there: it was in flight,
  /// so nothing behind it was ever acknowledged. It may build on what is missing, and it may have
  /// landed after another recovery had read to the end: replayed, it would be a history that nobody
  /// was told of, and that a write that is sent again would add to.
  private List<File> upToGap(Wanted wanted, List<File> files, long known) throws IOException {
    List<File> counted = new ArrayList<>(files.size());
    long next = known + 1;
    for (File file : files) {
      if (file.ordinal() > next && saysWhatWasBefore(wanted.key(file.ordinal()))) {
        LOG.info(
            "files of a log were never acknowledged and are not replayed [shard={}, node={},"
                + " missing={}, last={}]",
            wanted.shard,
            wanted.nodeEphemeralId,
            next,
            files.getLast().ordinal());
        return counted;
      }
      counted.add(file);
      next = Math.max(next, file.ordinal() + 1);
    }
    return counted;
  }

  /// Logs of old builds have gaps that nothing explains: files that nobody needed.
  private boolean saysWhatWasBefore(String key) throws IOException {
    try {
      return directory(key).directory.before() != null;
    } catch (LostObjectException | CorruptObjectException e) {
      LOG.debug("a damaged file says nothing of those before it", e);
      return true;
    }
  }

  /// Checks that no file is missing that is known to have been there, and that was not deleted
  /// because nobody needed it.
  private void checkFiles(Wanted wanted, List<File> files, long known) throws IOException {
    LogBounds bounds = wanted.bounds;
    if (bounds == null || wanted.acceptsLoss) {
      return;
    }
    Set<Long> there = new HashSet<>();
    files.stream().filter(file -> !file.isFence()).forEach(file -> there.add(file.ordinal()));
    // Where no file after the commit is known, the newest before it shows that the log is there.
    long from = Math.max(bounds.low(), Math.min(wanted.fromOrdinal, known));
    for (long must = from; must <= known; must++) {
      if (!there.contains(must) && mayNeed(wanted, must)) {
        throw new LostObjectException(
            wanted.key(must),
            "a file of a log is missing from the store, the shard may lack operations [shard="
                + wanted.shard
                + ", replay_from="
                + wanted.fromOrdinal
                + ", durable="
                + known
                + "]");
      }
    }
  }

  /// Whether the shard may have operations in a file that is lost: the next file says which shards
  /// had.
  private boolean mayNeed(Wanted wanted, long ordinal) throws IOException {
    try {
      return directory(wanted.key(ordinal + 1)).directory.mayBeBefore(wanted.shard);
    } catch (LostObjectException | CorruptObjectException | StoreException.NotFound e) {
      LOG.debug("nothing says who needs a file that is lost [ordinal={}]", ordinal, e);
      return true;
    }
  }

  private long replayFiles(Wanted wanted, List<File> files, Consumer consumer)
      throws IOException, InterruptedException {
    long count = 0;
    Deque<Reading> ahead = new ArrayDeque<>();
    long aheadBytes = 0;
    Iterator<File> unread = files.iterator();
    while (unread.hasNext() || !ahead.isEmpty()) {
      while (unread.hasNext() && ahead.size() < AHEAD_MAX && aheadBytes < AHEAD_BYTES_MAX) {
        File file = unread.next();
        if (contents.isWithout(wanted.key(file.ordinal()), wanted.shard)) {
          continue;
        }
        aheadBytes += file.bytes();
        ahead.addLast(new Reading(file, readAhead(wanted.shard, wanted.key(file.ordinal()))));
      }
      if (ahead.isEmpty()) {
        break; // none of those left has anything
      }
      Reading first = ahead.removeFirst();
      Optional<Found> found = joined(wanted, first);
      aheadBytes -= first.file.bytes();
      if (found.isPresent()) {
        consumer.accept(found.get().primaryTerm, found.get().operations);
        count += found.get().operations.size();
      }
    }
    return count;
  }

  private Optional<Found> joined(Wanted wanted, Reading reading)
      throws IOException, InterruptedException {
    try {
      return join(reading.found);
    } catch (LostObjectException | CorruptObjectException | StoreException.NotFound e) {
      if (!wanted.acceptsLoss && mayNeed(wanted, reading.file.ordinal())) {
        throw e;
      }
      LOG.warn(
          "a lost file of a log is passed over [shard={}, key={}, loss_accepted={}]",
          wanted.shard,
          wanted.key(reading.file.ordinal()),
          wanted.acceptsLoss,
          e);
      return Optional.empty();
    }
  }

  private record Found(long primaryTerm, List<Operation> operations) {}

  private record Reading(File file, Begun<Optional<Found>> found) {}

  private Begun<Optional<Found>> readAhead(ShardId shard, String key) {
    return Begun.of(world, "translog-read", () -> read(shard, key));
  }

  private Optional<Found> read(ShardId shard, String key) throws IOException {
    Opened file = directory(key);
    contents.read(key, file.directory.entries());
    for (Entry entry : file.directory.entries()) {
      if (entry.shard().index().uuid().equals(shard.index().uuid())
          && entry.shard().number() == shard.number()) {
        byte[] frame = frame(key, entry, file.suffix);
        return Optional.of(new Found(entry.primaryTerm(), LogFile.operations(entry, frame, key)));
      }
    }
    return Optional.empty();
  }

  /// @param suffix of the file, as much as was read
  private record Opened(Tail.Directory directory, Suffix suffix) {}

  private Opened directory(String key) throws IOException {
    Suffix suffix = suffixes.get(key);
    Tail tail;
    try {
      tail = LogFile.tail(suffix.bytes(), suffix.objectLength(), key);
      if (tail instanceof Tail.Longer longer) {
        suffix = store.getSuffix(key, longer.suffixBytes());
        tail = LogFile.tail(suffix.bytes(), suffix.objectLength(), key);
      }
    } catch (CorruptObjectException e) {
      tail = head(key, suffix.objectLength(), e);
    }
    if (!(tail instanceof Tail.Directory directory)) {
      throw new LostObjectException(key, "a fence lies within a log");
    }
    return new Opened(directory.requireIsOf(key), suffix);
  }

  /// The directory at the beginning of a file whose end is damaged.
  private Tail head(String key, long length, CorruptObjectException damage) throws IOException {
    int prefixBytes = (int) Math.min(length, LogSuffixes.SUFFIX_BYTES);
    Optional<Tail> head = LogFile.head(store.getRange(key, 0, prefixBytes), length);
    if (head.isPresent() && head.get() instanceof Tail.Longer longer) {
      head = LogFile.head(store.getRange(key, 0, longer.suffixBytes()), length);
    }
    LOG.warn(
        "the end of a translog file is damaged, its beginning is read [key={}, is_readable={}]",
        key,
        head.isPresent(),
        damage);
    return head.orElseThrow(() -> damage);
  }

  /// The suffix of a small file holds its frames too.
  private byte[] frame(String key, Entry entry, Suffix suffix) throws IOException {
    long suffixOffset = suffix.objectLength() - suffix.bytes().length;
    if (entry.offset() < suffixOffset) {
      return store.getRange(key, entry.offset(), entry.length());
    }
    int from = (int) (entry.offset() - suffixOffset);
    return Arrays.copyOfRange(suffix.bytes(), from, from + entry.length());
  }

  private static <T> T join(Begun<T> begun) throws IOException, InterruptedException {
    try {
      return begun.value();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io
          ? io
          : new IOException("translog read failed", e.getCause());
    }
  }

  /// Fences the log of a node that is being evicted at the first name that is free: what it uploads
  /// after that is refused.
  ///
  /// @param durable as [LogFence#fence]
  /// @param leads likewise
  public void fence(String nodeEphemeralId, long durable, LogFence.Leads leads) throws IOException {
    ends.fence(nodeEphemeralId, durable, leads);
  }
}
