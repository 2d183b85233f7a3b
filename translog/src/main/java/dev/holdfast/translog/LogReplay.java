package dev.holdfast.translog;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.Suffix;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.translog.LogFile.Tail;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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

  private static final int LIST_MAX = 1000;

  private final World world;
  private final ObjectStore store;
  private final String self;
  private final LogReader reader;
  private final Map<String, Ended> ends = new ConcurrentHashMap<>();

  /// @param self this node's ephemeral id, written into fences for people
  public LogReplay(World world, ObjectStore store, String self) {
    this.world = world;
    this.store = store;
    this.self = self;
    this.reader = new LogReader(store);
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
    reader.begin();
    try {
      List<File> files = fenced(wanted.nodeEphemeralId, wanted.fromOrdinal).files;
      long known = known(wanted, files);
      checkFiles(wanted, files, known);
      return replayFiles(wanted, from(wanted, upToGap(wanted, files, known)), consumer);
    } catch (StoreException.NotFound | LostObjectException | CorruptObjectException e) {
      // Its last delete of files that no shard needs came through, or somebody puts back what is
      // missing: the next try lists anew.
      ends.remove(wanted.nodeEphemeralId);
      throw e;
    } finally {
      reader.end();
    }
  }

  /// As [#replay] for this node's own log, which goes on: a shard that failed, or was closed, is
  /// opened again by the same process. Nothing is fenced.
  ///
  /// @param endOrdinal exclusive; every file before it is durable
  public long replayOwn(Wanted wanted, long endOrdinal, Consumer consumer)
      throws IOException, InterruptedException {
    List<File> files =
        found(wanted.nodeEphemeralId, Math.max(0, wanted.fromOrdinal - 1)).values().stream()
            .filter(file -> file.ordinal < endOrdinal)
            .toList();
    reader.begin();
    try {
      checkFiles(wanted, files, endOrdinal - 1);
      return replayFiles(wanted, from(wanted, files), consumer);
    } finally {
      reader.end();
    }
  }

  private static List<File> from(Wanted wanted, List<File> files) {
    return files.stream().filter(file -> file.ordinal >= wanted.low()).toList();
  }

  /// The last file of a dead node's log that is known to have been there: the cluster state, the
  /// commit and the newest files say so. A commit is uploaded when all files before the one that it
  /// points at are durable.
  private long known(Wanted wanted, List<File> files) throws IOException {
    LogBounds bounds = wanted.bounds;
    long known = Math.max(bounds == null ? -1 : bounds.durable(), wanted.fromOrdinal - 1);
    for (File file : files.reversed()) {
      if (file.ordinal <= known) {
        return known; // it says less
      }
      try {
        return Math.max(known, reader.directory(wanted.key(file.ordinal)).durable());
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
      if (file.ordinal > next && saysWhatWasBefore(wanted.key(file.ordinal))) {
        LOG.info(
            "files of a log were never acknowledged and are not replayed [shard={}, node={},"
                + " missing={}, last={}]",
            wanted.shard,
            wanted.nodeEphemeralId,
            next,
            files.getLast().ordinal);
        return counted;
      }
      counted.add(file);
      next = Math.max(next, file.ordinal + 1);
    }
    return counted;
  }

  /// Logs of old builds have gaps that nothing explains: files that nobody needed.
  private boolean saysWhatWasBefore(String key) throws IOException {
    try {
      return reader.directory(key).before() != null;
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
    files.stream().filter(file -> !file.isFence).forEach(file -> there.add(file.ordinal));
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
      return reader.directory(wanted.key(ordinal + 1)).mayBeBefore(wanted.shard);
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
        aheadBytes += file.bytes;
        ahead.addLast(new Reading(file, readAhead(wanted.shard, wanted.key(file.ordinal))));
      }
      Reading first = ahead.removeFirst();
      Optional<LogReader.Found> found = joined(wanted, first);
      aheadBytes -= first.file.bytes;
      if (found.isPresent()) {
        consumer.accept(found.get().primaryTerm(), found.get().operations());
        count += found.get().operations().size();
      }
    }
    return count;
  }

  private Optional<LogReader.Found> joined(Wanted wanted, Reading reading)
      throws IOException, InterruptedException {
    try {
      return join(reading.found);
    } catch (LostObjectException | CorruptObjectException | StoreException.NotFound e) {
      if (!wanted.acceptsLoss && mayNeed(wanted, reading.file.ordinal)) {
        throw e;
      }
      LOG.warn(
          "a lost file of a log is passed over [shard={}, key={}, loss_accepted={}]",
          wanted.shard,
          wanted.key(reading.file.ordinal),
          wanted.acceptsLoss,
          e);
      return Optional.empty();
    }
  }

  private record File(long ordinal, long bytes, boolean isFence) {}

  private record Reading(File file, CompletableFuture<Optional<LogReader.Found>> found) {}

  private CompletableFuture<Optional<LogReader.Found>> readAhead(ShardId shard, String key) {
    CompletableFuture<Optional<LogReader.Found>> future = new CompletableFuture<>();
    Tasks.Task _ =
        world
            .tasks()
            .start(
                "translog-read",
                () -> {
                  try {
                    future.complete(reader.read(shard, key));
                  } catch (IOException | RuntimeException | Error e) {
                    future.completeExceptionally(e);
                  }
                });
    return future;
  }

  private static <T> T join(CompletableFuture<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io
          ? io
          : new IOException("translog read failed", e.getCause());
    }
  }

  /// Fences the log of a node that is being evicted at the first name that is free: what it uploads
  /// after that is refused.
  public void fence(String nodeEphemeralId) throws IOException {
    List<Listed> first = store.list(LogFile.folder(nodeEphemeralId), "", 1);
    long ordinal = first.isEmpty() ? 0 : LogFile.ordinal(first.getFirst().key());
    var _ = fenced(nodeEphemeralId, ordinal);
  }

  /// A log that nothing can be added to.
  ///
  /// @param from nothing is known of files below
  /// @param files its files in order, without fences
  private record Ended(long from, List<File> files) {}

  /// Fences a log: the files found are all there will ever be that may hold something acknowledged.
  ///
  /// A LIST says where the end seems to be; the put-if-absent of the fence is what makes it so.
  /// Before the last file, names may be missing because they are in flight, which none can be that
  /// lies [NodeLog#AHEAD_MAX] below it, or because no shard needed them and they were deleted, in
  /// whatever order the store did that (the newest durable file is never deleted): each gap that
  /// may be in flight gets a fence, so that the evicted node can fill none and acknowledges nothing
  /// behind it. What lies behind a gap was acknowledged when something shows that the gap was
  /// filled once; else nobody was told of it, and it counts for none who recovers, now or later.
  /// Which it is, and whether a file is missing that must be there, is asked afterwards, for each
  /// shard (decision 018); who puts it back writes over the fence.
  private Ended fenced(String nodeEphemeralId, long fromOrdinal) throws IOException {
    long seenFrom = Math.max(0, fromOrdinal - 1);
    Ended known = ends.get(nodeEphemeralId);
    if (known != null && known.from <= seenFrom) {
      return known;
    }
    while (true) {
      SortedMap<Long, File> found = found(nodeEphemeralId, seenFrom);
      long last = found.isEmpty() ? fromOrdinal - 1 : found.lastKey();
      boolean endsInFence = !found.isEmpty() && found.lastEntry().getValue().isFence;
      boolean isFenced = endsInFence || putFence(nodeEphemeralId, last + 1);
      for (long gap = Math.max(fromOrdinal, last + 1 - NodeLog.AHEAD_MAX); gap < last; gap++) {
        isFenced &= found.containsKey(gap) || putFence(nodeEphemeralId, gap);
      }
      if (isFenced) {
        List<File> files = found.values().stream().filter(file -> !file.isFence).toList();
        Ended ended = new Ended(seenFrom, files);
        ends.put(nodeEphemeralId, ended);
        return ended;
      }
      // A file came in between: look again.
    }
  }

  private boolean putFence(String nodeEphemeralId, long ordinal) throws IOException {
    boolean isCreated =
        store.putIfAbsent(LogFile.key(nodeEphemeralId, ordinal), ObjectBody.of(LogFile.fence(self)))
            instanceof Creation.Created;
    if (isCreated) {
      LOG.info("fenced the log of a dead node [node={}, ordinal={}]", nodeEphemeralId, ordinal);
    }
    return isCreated;
  }

  /// What lies there from an ordinal on, by ordinal.
  private SortedMap<Long, File> found(String nodeEphemeralId, long fromOrdinal) throws IOException {
    SortedMap<Long, File> found = new TreeMap<>();
    long next = fromOrdinal;
    while (true) {
      List<Listed> page = list(nodeEphemeralId, next);
      for (Listed listed : page) {
        boolean isFence = listed.length() <= LogFile.FENCE_BYTES_MAX && isFence(listed.key());
        long ordinal = LogFile.ordinal(listed.key());
        found.put(ordinal, new File(ordinal, listed.length(), isFence));
      }
      if (page.size() < LIST_MAX) {
        return found;
      }
      next = LogFile.ordinal(page.getLast().key()) + 1;
    }
  }

  /// Files from an ordinal on.
  private List<Listed> list(String nodeEphemeralId, long ordinal) throws IOException {
    String after = ordinal == 0 ? "" : LogFile.key(nodeEphemeralId, ordinal - 1);
    return store.list(LogFile.folder(nodeEphemeralId), after, LIST_MAX);
  }

  /// What is damaged is taken for a file: only shards that need it are kept from being opened.
  private boolean isFence(String key) throws IOException {
    Suffix suffix = store.getSuffix(key, LogFile.FENCE_BYTES_MAX);
    try {
      return LogFile.tail(suffix.bytes(), suffix.objectLength(), key) instanceof Tail.Fence;
    } catch (CorruptObjectException e) {
      LOG.warn("a small object in a log is damaged [key={}]", key, e);
      return false;
    }
  }
}
