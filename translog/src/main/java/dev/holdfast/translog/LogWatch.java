package dev.holdfast.translog;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks now and then whether the files of this node's log are still in the store. While the node
/// lives it has what they held: shards that are uploaded need them no more. Whoever recovers a
/// shard after the node is dead would find a gap (decision 018).
public final class LogWatch {
  private static final Logger LOG = LoggerFactory.getLogger(LogWatch.class);

  /// One LIST, while any shard needs the log, and one after that.
  static final Duration EVERY = Duration.ofMinutes(1);

  /// Before the second look at what seems to be missing.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final World world;
  private final ObjectStore store;
  private final LogEnds files;
  private final String self;
  private final Log log;
  private final AtomicBoolean isLooking = new AtomicBoolean();
  private volatile long lookedNanos;
  private volatile long lost = -1;

  /// Up to there all was found the last time. Of the task that looks.
  private volatile long wholeUntil = -1;

  /// @param ownership of the node whose log it is
  public LogWatch(World world, ObjectStore store, Ownership ownership, Log log) {
    this.world = world;
    this.store = store;
    this.self = ownership.nodeEphemeralId();
    this.files = new LogEnds(store, self);
    this.log = log;
    this.lookedNanos = world.clock().nanoTime();
  }

  /// The newest file that shards need and that is not there any more; -1 for none.
  public long lost() {
    return lost;
  }

  /// Begins a look when it is time for one; returns at once.
  public void tick(long nowNanos) {
    if (nowNanos - lookedNanos >= EVERY.toNanos() && isLooking.compareAndSet(false, true)) {
      lookedNanos = nowNanos;
      var _ = world.tasks().start("log-watch", this::lookOnce, () -> isLooking.set(false));
    }
  }

  private void lookOnce() throws InterruptedException {
    try {
      look();
    } catch (IOException e) {
      LOG.warn("the log could not be looked at, will be tried again [why={}]", e.toString());
    } finally {
      isLooking.set(false);
    }
  }

  void look() throws IOException, InterruptedException {
    long durable = log.bounds(Map.of()).durable();
    if (durable < 0 || (durable == wholeUntil && isUnneeded(durable))) {
      return;
    }
    SortedSet<Long> gone = missing();
    if (!gone.isEmpty()) {
      Await.pause(world, PAUSE);
      gone.retainAll(missing());
    }
    if (gone.isEmpty()) {
      lost = -1;
      wholeUntil = durable;
      return;
    }
    if (gone.last() != lost) {
      LOG.error(
          "files of this node's log were deleted by somebody else: the shards that need them are"
              + " uploaded [first={}, last={}, files={}]",
          LogFile.key(self, gone.first()),
          LogFile.key(self, gone.last()),
          gone.size());
    }
    lost = gone.last();
    standIn(gone.last());
  }

  /// Between the bounds that the cluster state may be told all are there, or are missed by every
  /// recovery that reads so far.
  private SortedSet<Long> missing() throws IOException {
    LogBounds bounds = log.bounds(Map.of());
    Set<Long> found = files.found(self, bounds.low()).keySet();
    SortedSet<Long> gone = new TreeSet<>();
    for (long ordinal = bounds.low(); ordinal <= bounds.durable(); ordinal++) {
      if (!found.contains(ordinal)) {
        gone.add(ordinal);
      }
    }
    return gone;
  }

  /// The newest file stays although nobody needs it: it proves where the log ends. When it has gone
  /// and no shard needs what it held, an empty one proves the same.
  private void standIn(long ordinal) throws IOException {
    if (ordinal == log.bounds(Map.of()).durable() && isUnneeded(ordinal)) {
      String key = LogFile.key(self, ordinal);
      var _ = store.putIfAbsent(key, LogFile.write(key, List.of(), false, ordinal - 1, List.of()));
    }
  }

  /// Whether no shard needs that file, or one before it.
  private boolean isUnneeded(long ordinal) {
    return log.files().headMap(ordinal + 1).values().stream().allMatch(Set::isEmpty);
  }
}
