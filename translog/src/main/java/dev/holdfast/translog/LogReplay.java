package dev.holdfast.translog;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.Suffix;
import dev.holdfast.translog.LogFile.Entry;
import dev.holdfast.translog.LogFile.Tail;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the logs of dead nodes for shards that recover (§5, translog recovery): fences a log
/// first, so that nothing can be added to it, then hands out the operations of one shard in the
/// order of files. One object serves all shards of a node's start: ends of logs and directories are
/// remembered.
public final class LogReplay {
  private static final Logger LOG = LoggerFactory.getLogger(LogReplay.class);

  /// Enough for the directory of some hundred shards, and for whole small files.
  private static final int SUFFIX_BYTES = 64 << 10;

  /// Files read at once; also bounds what waits in memory.
  private static final int AHEAD_MAX = 16;

  private static final int LIST_MAX = 1000;

  private final World world;
  private final ObjectStore store;
  private final String self;
  private final Map<String, Long> ends = new ConcurrentHashMap<>();

  /// @param self this node's ephemeral id, written into fences for people
  public LogReplay(World world, ObjectStore store, String self) {
    this.world = world;
    this.store = store;
    this.self = self;
  }

  /// Takes a file's operations of the shard, in order.
  public interface Consumer {
    void accept(long primaryTerm, List<Operation> operations)
        throws IOException, InterruptedException;
  }

  /// Hands out every operation of the shard in the log of a dead node, from a file on.
  ///
  /// @param nodeEphemeralId whose log; never this node's own
  /// @param fromOrdinal the first file that matters
  /// @return operations handed out
  public long replay(ShardId shard, String nodeEphemeralId, long fromOrdinal, Consumer consumer)
      throws IOException, InterruptedException {
    return replayFiles(
        shard, nodeEphemeralId, fromOrdinal, fencedEnd(nodeEphemeralId, fromOrdinal), consumer);
  }

  /// As [#replay] for this node's own log, which goes on: a shard that failed, or was closed, is
  /// opened again by the same process. Nothing is fenced.
  ///
  /// @param endOrdinal exclusive; every file before it is durable
  public long replayOwn(
      ShardId shard, String nodeEphemeralId, long fromOrdinal, long endOrdinal, Consumer consumer)
      throws IOException, InterruptedException {
    return replayFiles(shard, nodeEphemeralId, fromOrdinal, endOrdinal, consumer);
  }

  private long replayFiles(
      ShardId shard, String nodeEphemeralId, long fromOrdinal, long end, Consumer consumer)
      throws IOException, InterruptedException {
    long count = 0;
    for (long window = fromOrdinal; window < end; window += AHEAD_MAX) {
      List<CompletableFuture<Optional<Found>>> ahead = new ArrayList<>();
      for (long ordinal = window; ordinal < Math.min(end, window + AHEAD_MAX); ordinal++) {
        ahead.add(readAhead(shard, LogFile.key(nodeEphemeralId, ordinal)));
      }
      for (CompletableFuture<Optional<Found>> future : ahead) {
        Optional<Found> found = join(future);
        if (found.isPresent()) {
          consumer.accept(found.get().primaryTerm, found.get().operations);
          count += found.get().operations.size();
        }
      }
    }
    return count;
  }

  private record Found(long primaryTerm, List<Operation> operations) {}

  private CompletableFuture<Optional<Found>> readAhead(ShardId shard, String key) {
    CompletableFuture<Optional<Found>> future = new CompletableFuture<>();
    Tasks.Task _ =
        world
            .tasks()
            .start(
                "translog-read",
                () -> {
                  try {
                    future.complete(read(shard, key));
                  } catch (IOException | RuntimeException | Error e) {
                    future.completeExceptionally(e);
                  }
                });
    return future;
  }

  private Optional<Found> read(ShardId shard, String key) throws IOException {
    Suffix suffix = store.getSuffix(key, SUFFIX_BYTES);
    Tail tail = LogFile.tail(suffix.bytes(), suffix.objectLength(), key);
    if (tail instanceof Tail.Longer longer) {
      suffix = store.getSuffix(key, longer.suffixBytes());
      tail = LogFile.tail(suffix.bytes(), suffix.objectLength(), key);
    }
    if (!(tail instanceof Tail.Directory directory)) {
      throw new IOException("a fence lies within a log [key=" + key + "]");
    }
    for (Entry entry : directory.entries()) {
      if (entry.shard().index().uuid().equals(shard.index().uuid())
          && entry.shard().number() == shard.number()) {
        byte[] frame = store.getRange(key, entry.offset(), entry.length());
        return Optional.of(new Found(entry.primaryTerm(), LogFile.operations(entry, frame, key)));
      }
    }
    return Optional.empty();
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

  /// Fences a log and returns the ordinal of its fence: the files from `fromOrdinal` to there are
  /// all there will ever be.
  ///
  /// A LIST says where the end seems to be; the put-if-absent of the fence is what makes it so. A
  /// fence may lie before files: the evicted node had later ones in flight, which were never
  /// acknowledged.
  private long fencedEnd(String nodeEphemeralId, long fromOrdinal) throws IOException {
    Long known = ends.get(nodeEphemeralId);
    if (known != null && known >= fromOrdinal) {
      return known;
    }
    long ordinal = fromOrdinal;
    while (true) {
      List<Listed> page = list(nodeEphemeralId, ordinal);
      for (Listed listed : page) {
        if (LogFile.ordinal(listed.key()) != ordinal) {
          break;
        }
        if (listed.length() <= LogFile.FENCE_BYTES_MAX && isFence(listed.key())) {
          ends.put(nodeEphemeralId, ordinal);
          return ordinal;
        }
        ordinal++;
      }
      if (page.size() < LIST_MAX
          && store.putIfAbsent(
                  LogFile.key(nodeEphemeralId, ordinal), ObjectBody.of(LogFile.fence(self)))
              instanceof Creation.Created) {
        LOG.info("fenced the log of a dead node [node={}, ordinal={}]", nodeEphemeralId, ordinal);
        ends.put(nodeEphemeralId, ordinal);
        return ordinal;
      }
    }
  }

  /// Files from an ordinal on.
  private List<Listed> list(String nodeEphemeralId, long ordinal) throws IOException {
    String after = ordinal == 0 ? "" : LogFile.key(nodeEphemeralId, ordinal - 1);
    return store.list(LogFile.folder(nodeEphemeralId), after, LIST_MAX);
  }

  private boolean isFence(String key) throws IOException {
    Suffix suffix = store.getSuffix(key, LogFile.FENCE_BYTES_MAX);
    return LogFile.tail(suffix.bytes(), suffix.objectLength(), key) instanceof Tail.Fence;
  }
}
