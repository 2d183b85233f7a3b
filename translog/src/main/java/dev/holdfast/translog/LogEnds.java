package dev.holdfast.translog;

import dev.holdfast.clusterstate.membership.LogFence;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.Suffix;
import dev.holdfast.translog.LogFile.Tail;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The files of logs, and where the logs of dead nodes end: who asks for that fences the log first,
/// so that nothing can be added to it. Ends are remembered.
final class LogEnds {
  private static final Logger LOG = LoggerFactory.getLogger(LogEnds.class);
  private static final int LIST_MAX = 1000;

  private final ObjectStore store;
  private final String self;
  private final Map<String, Ended> ends = new ConcurrentHashMap<>();

  /// @param self this node's ephemeral id, written into fences for people
  LogEnds(ObjectStore store, String self) {
    this.store = store;
    this.self = self;
  }

  /// A file of a log, or a fence in its place.
  record File(long ordinal, long bytes, boolean isFence) {}

  /// The next who asks for the end of that log looks anew.
  void forget(String nodeEphemeralId) {
    ends.remove(nodeEphemeralId);
  }

  /// Fences the log of a node that is being evicted at the first name that is free: what it uploads
  /// after that is refused. That is behind all that it is known to have written: a name before,
  /// whose file somebody removed, is none that it would use.
  ///
  /// @param durable a file that was there, as were all before it: they need not be listed; -1 when
  ///   none is known
  void fence(String nodeEphemeralId, long durable, LogFence.Leads leads) throws IOException {
    long first = durable >= 0 ? durable + 1 : first(nodeEphemeralId);
    var _ = fenced(nodeEphemeralId, first, leads);
  }

  private long first(String nodeEphemeralId) throws IOException {
    return store.list(LogFile.folder(nodeEphemeralId), "", LIST_MAX).stream()
        .filter(listed -> LogFile.isKey(listed.key()))
        .findFirst()
        .map(listed -> LogFile.ordinal(listed.key()))
        .orElse(0L);
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
  List<File> fenced(String nodeEphemeralId, long fromOrdinal) throws IOException {
    return fenced(nodeEphemeralId, fromOrdinal, () -> {}); // what a recovery needs, whoever leads
  }

  private List<File> fenced(String nodeEphemeralId, long fromOrdinal, LogFence.Leads leads)
      throws IOException {
    long seenFrom = Math.max(0, fromOrdinal - 1);
    Ended known = ends.get(nodeEphemeralId);
    if (known != null && known.from <= seenFrom) {
      return known.files;
    }
    while (true) {
      SortedMap<Long, File> found = found(nodeEphemeralId, seenFrom);
      long last = found.isEmpty() ? fromOrdinal - 1 : found.lastKey();
      boolean endsInFence = !found.isEmpty() && found.lastEntry().getValue().isFence;
      boolean isFenced = endsInFence || putFence(nodeEphemeralId, last + 1, leads);
      for (long gap = Math.max(fromOrdinal, last + 1 - NodeLog.AHEAD_MAX); gap < last; gap++) {
        isFenced &= found.containsKey(gap) || putFence(nodeEphemeralId, gap, leads);
      }
      if (isFenced) {
        List<File> files = found.values().stream().filter(file -> !file.isFence).toList();
        Ended ended = new Ended(seenFrom, files);
        ends.put(nodeEphemeralId, ended);
        return files;
      }
      // A file came in between: look again.
    }
  }

  private boolean putFence(String nodeEphemeralId, long ordinal, LogFence.Leads leads)
      throws IOException {
    leads.require();
    boolean isCreated =
        store.putIfAbsent(LogFile.key(nodeEphemeralId, ordinal), ObjectBody.of(LogFile.fence(self)))
            instanceof Creation.Created;
    if (isCreated) {
      LOG.info("fenced the log of a dead node [node={}, ordinal={}]", nodeEphemeralId, ordinal);
    }
    return isCreated;
  }

  /// Tells of a fence in the log of a node that has just begun: a leader that lost its place had
  /// taken the node in and given it up, which its successor does not know. The node's first write
  /// would tell, but by then it owns shards.
  static void lookForFence(ObjectStore store, Ownership ownership, Consumer<String> onFence) {
    String node = ownership.nodeEphemeralId();
    try {
      if (new LogEnds(store, node).found(node, 0).values().stream().anyMatch(File::isFence)) {
        onFence.accept("the log was fenced: a leader gave this node up while it joined");
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("the log could not be looked at [node={}]", node, e);
    }
  }

  /// What lies there from an ordinal on, by ordinal.
  SortedMap<Long, File> found(String nodeEphemeralId, long fromOrdinal) throws IOException {
    SortedMap<Long, File> found = new TreeMap<>();
    String after = fromOrdinal == 0 ? "" : LogFile.key(nodeEphemeralId, fromOrdinal - 1);
    while (true) {
      List<Listed> page = store.list(LogFile.folder(nodeEphemeralId), after, LIST_MAX);
      for (Listed listed : page) {
        if (LogFile.isKey(listed.key())) {
          boolean isFence = listed.length() <= LogFile.FENCE_BYTES_MAX && isFence(listed.key());
          long ordinal = LogFile.ordinal(listed.key());
          found.put(ordinal, new File(ordinal, listed.length(), isFence));
        }
      }
      if (page.size() < LIST_MAX) {
        return found;
      }
      after = page.getLast().key();
    }
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
