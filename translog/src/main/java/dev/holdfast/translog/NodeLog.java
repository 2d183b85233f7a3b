package dev.holdfast.translog;

import dev.holdfast.clusterstate.LogBounds;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.translog.LogFile.Frame;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.metric.Histogram;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The node-wide compound translog (§5) with group commit: operations of all shards gather in one
/// file; it is sealed and uploaded at once while few uploads are in flight and the request budget
/// allows, else when it is old or large enough ([LogTurn]). Files are named by consecutive ordinals
/// and created with put-if-absent; operations are acknowledged in the order of files, without gaps.
/// A name that is already taken is a fence: this node was evicted and acknowledges nothing more.
public final class NodeLog implements Log, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLog.class);

  /// Files that may lie in the store behind one that does not yet: so far behind the last file of a
  /// dead node's log a gap may be an upload in flight.
  static final int AHEAD_MAX = 16;

  private final World world;
  private final ObjectStore store;
  private final Ownership ownership;
  private final LogConfig config;
  private final LogReferences references;
  private final LogRoom room;
  private final LogCounters counters = new LogCounters();
  private final Histogram sealedToDurable = Histogram.ofSeconds();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Condition advanced = lock.newCondition();
  private final LogTurn turn;
  private final TreeMap<Long, Long> inFlightSinceNanos = new TreeMap<>();
  private final TreeMap<Long, Long> sealedNanos = new TreeMap<>();
  private final DurablePrefix prefix = new DurablePrefix();
  private final WaitingSpans waiting = new WaitingSpans();
  private Map<ShardId, Frame> frames = new LinkedHashMap<>();

  /// Shards of the file that was sealed last.
  private List<ShardId> sealedBefore = List.of();

  private long ordinal;
  private long fileBytes;
  private long fileSinceNanos;
  private long bufferedBytes;
  private @Nullable EvictedException evicted;

  /// The end of a log that is closed: nobody uploads what comes after.
  private @Nullable Ticket end;

  /// @param store retries `Unavailable` for ever, and recognises its own earlier success; what it
  ///   does not retry ends this node
  /// @param pace how fast this node may spend
  public NodeLog(
      World world, ObjectStore store, Ownership ownership, LogConfig config, SpendingPace pace) {
    this.world = world;
    this.store = store;
    this.ownership = ownership;
    this.config = config;
    this.references = new LogReferences(world, store, ownership, prefix::durable);
    this.room = new LogRoom(world, store, ownership, config);
    this.turn = new LogTurn(world.clock(), config, pace);
    Tasks.Task _ = world.tasks().start("translog", this::uploadForEver);
    Tasks.Task _ =
        world
            .tasks()
            .start("translog-look", () -> LogEnds.lookForFence(store, ownership, this::stop));
  }

  /// One that may spend what it likes.
  public NodeLog(World world, ObjectStore store, Ownership ownership, LogConfig config) {
    this(world, store, ownership, config, SpendingPace.unlimited());
  }

  @Override
  public void requireRoom() {
    lock.lock();
    try {
      room.require(end != null, inFlightSinceNanos.firstEntry(), bufferedBytes, turn.isHeld());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Ticket append(ShardId shard, long primaryTerm, List<? extends Operation> operations) {
    lock.lock();
    try {
      if (operations.isEmpty()) {
        return barrierLocked();
      }
      Frame frame = frames.computeIfAbsent(shard, s -> new Frame(s, primaryTerm));
      frame.requireTerm(primaryTerm);
      int before = frame.bytes.length();
      operations.forEach(frame::add);
      int added = frame.bytes.length() - before;
      if (fileBytes == 0) {
        fileSinceNanos = world.clock().nanoTime();
      }
      fileBytes += added;
      bufferedBytes += added;
      counters.appended(operations.size(), added);
      references.add(ordinal, shard);
      waiting.add();
      filled.signal();
      return new Ticket(ordinal);
    } finally {
      lock.unlock();
    }
  }

  /// Has no limit of its own: an upload is tried until the store answers or this node is evicted,
  /// and one who gave up sooner would not know what became of the write. Nobody joins those who
  /// wait while the store is silent: [#requireRoom] refuses them.
  @Override
  public void await(Ticket ticket) throws IOException, InterruptedException {
    lock.lock();
    try {
      while (isAwaited(ticket)) {
        advanced.await();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean await(Ticket ticket, Duration max) throws IOException, InterruptedException {
    if (isDurable(ticket)) {
      return true;
    }
    long endNanos = world.clock().nanoTime() + max.toNanos();
    lock.lock();
    try {
      while (isAwaited(ticket)) {
        long leftNanos = endNanos - world.clock().nanoTime();
        if (leftNanos <= 0) {
          return false;
        }
        world.sleeper().await(lock, advanced, Duration.ofNanos(leftNanos));
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isAwaited(Ticket ticket) throws EvictedException {
    if (isDurable(ticket)) {
      return false;
    }
    if (evicted != null) {
      throw new EvictedException(String.valueOf(evicted.getMessage()));
    }
    if (end != null && ticket.ordinal() > end.ordinal()) {
      throw new EvictedException("the log was closed before the operations came");
    }
    return true;
  }

  @Override
  public boolean isDurable(Ticket ticket) {
    return prefix.durable() >= ticket.ordinal();
  }

  @Override
  public long ordinal() {
    return locked(() -> ordinal);
  }

  @Override
  public void hurry() {
    lock.lock();
    try {
      turn.hurry();
      filled.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Ticket barrier() {
    return locked(this::barrierLocked);
  }

  private <T> T locked(Supplier<T> look) {
    lock.lock();
    try {
      return look.get();
    } finally {
      lock.unlock();
    }
  }

  private Ticket barrierLocked() {
    return new Ticket(frames.isEmpty() ? ordinal - 1 : ordinal);
  }

  @Override
  public void release(ShardId shard, long belowOrdinal) {
    references.release(shard, belowOrdinal);
  }

  /// The newest durable file is never deleted: it shows where the log ends. Nor is a file that no
  /// durable one tells of: were the cluster state lost with these bounds, its gap would look like
  /// an upload that never ended, and what lies behind it as if nobody had been told of it.
  @Override
  public LogBounds bounds(Map<ShardId, Long> releasing) {
    // What is durable is asked first: a file that comes between needs what it holds.
    long proven = prefix.proven();
    long durableNow = prefix.durable();
    long low = Math.min(references.low(releasing), Math.max(0, Math.min(durableNow, proven + 1)));
    return new LogBounds(low, durableNow);
  }

  @Override
  public void deletable(long belowOrdinal) {
    references.deletable(belowOrdinal);
  }

  /// Counters since start.
  public LogCounters.Snapshot counters() {
    return locked(() -> counters.snapshot(bufferedBytes, references.files()));
  }

  /// Seconds from sealing a file until it and every file before it is in the store.
  public Histogram sealedToDurable() {
    return sealedToDurable;
  }

  @Override
  public SortedMap<Long, SortedSet<String>> files() {
    return references.byFile();
  }

  private void uploadForEver() throws InterruptedException {
    while (true) {
      List<Frame> sealed;
      long sealedOrdinal;
      long durableThen;
      List<ShardId> before;
      int bytes;
      WaitingSpans spans;
      lock.lock();
      try {
        while (!mayUpload()) {
          if (hasEnded()) {
            return;
          }
          if (frames.isEmpty() || isFull()) {
            filled.await();
          } else {
            // An upload that ends or a full file wakes us sooner.
            world.sleeper().await(lock, filled, turn.pause(fileSinceNanos));
          }
        }
        sealed = new ArrayList<>(frames.values());
        frames = new LinkedHashMap<>();
        sealedOrdinal = ordinal++;
        durableThen = prefix.durable();
        before = sealedBefore;
        sealedBefore = sealed.stream().map(frame -> frame.shard).toList();
        bytes = (int) fileBytes;
        fileBytes = 0;
        spans = waiting.seal();
        inFlightSinceNanos.put(sealedOrdinal, world.clock().nanoTime());
        sealedNanos.put(sealedOrdinal, world.clock().nanoTime());
      } finally {
        lock.unlock();
      }
      Tasks.Work upload =
          () ->
              spans.uploading(
                  sealedOrdinal, () -> upload(sealedOrdinal, sealed, bytes, durableThen, before));
      Tasks.Task _ =
          world
              .tasks()
              .start("translog-upload", upload, () -> stop("no thread for uploads of the log"));
    }
  }

  private boolean mayUpload() {
    return !frames.isEmpty()
        && !isFull()
        && !hasEnded()
        && turn.tryTake(fileSinceNanos, fileBytes, end != null);
  }

  private boolean hasEnded() {
    return evicted != null || (end != null && ordinal > end.ordinal());
  }

  private boolean isFull() {
    return inFlightSinceNanos.size() >= config.uploadsMax()
        || ordinal - prefix.durable() >= AHEAD_MAX;
  }

  private void upload(
      long sealedOrdinal,
      List<Frame> sealed,
      int rawBytes,
      long durableThen,
      List<ShardId> before) {
    String key = LogFile.key(ownership.nodeEphemeralId(), sealedOrdinal);
    long startNanos = world.clock().nanoTime();
    try {
      ObjectBody file = LogFile.write(key, sealed, config.compresses(), durableThen, before);
      Creation creation = store.putIfAbsent(key, file);
      switch (creation) {
        case Creation.Created _ ->
            uploaded(
                sealedOrdinal,
                new DurablePrefix.Landed(rawBytes, durableThen),
                file.length(),
                startNanos);
        case Creation.AlreadyExists _ -> stop("the log was fenced [key=" + key + "]");
      }
    } catch (IOException | RuntimeException | Error e) { // who waits for it would wait for ever
      LOG.error("translog upload failed for good [key={}]", key, e);
      stop("the log can't be written [key=" + key + ", reason=" + e.getMessage() + "]");
    }
  }

  /// Moves the durable prefix over every file that has no gap before it.
  private void uploaded(
      long sealedOrdinal, DurablePrefix.Landed file, long storedBytes, long startNanos) {
    lock.lock();
    try {
      inFlightSinceNanos.remove(sealedOrdinal);
      bufferedBytes -= prefix.landed(sealedOrdinal, file);
      Promise.keep(
          bufferedBytes >= 0, "no more is durable than was appended", "bytes", bufferedBytes);
      SortedMap<Long, Long> reached = sealedNanos.headMap(prefix.durable() + 1);
      reached.values().forEach(at -> sealedToDurable.recordNanos(world.clock().nanoTime() - at));
      reached.clear();
      counters.uploaded(storedBytes, world.clock().nanoTime() - startNanos);
      advanced.signalAll();
      filled.signal();
    } finally {
      lock.unlock();
    }
  }

  private void stop(String why) {
    lock.lock();
    try {
      evicted = evicted == null ? new EvictedException(why) : evicted;
      advanced.signalAll();
      filled.signal();
    } finally {
      lock.unlock();
    }
    ownership.evicted(why);
  }

  /// Uploads what is left and waits for it.
  @Override
  public void close() throws IOException {
    Ticket last =
        locked(() -> {
          Ticket ended = end == null ? barrierLocked() : end;
          end = ended;
          filled.signal();
          return ended;
        });
    try {
      await(last);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the last translog file was being uploaded", e);
    }
    references.close();
  }
}
