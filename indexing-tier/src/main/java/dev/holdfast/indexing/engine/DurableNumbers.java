package dev.holdfast.indexing.engine;

import dev.holdfast.indexing.version.SequenceNumbers;
import dev.holdfast.translog.Log;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Which operations of a shard are durable: what an answer tells of an operation is told when the
/// log has it in the store (§5), so that nothing that anybody was told of is ever lost.
///
/// A batch is noted here when it is numbered and once more when the log has taken it. Batches are
/// forgotten when they are durable, so that few are known at a time: those whose writers wait.
public final class DurableNumbers {
  private final World world;
  private final SequenceNumbers numbers;
  private final Log log;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition logged = lock.newCondition();

  /// By first number; guarded by the lock.
  private final TreeMap<Long, Batch> batches = new TreeMap<>();

  /// Every operation up to this one is known to be durable.
  private volatile long known = SequenceNumbers.NONE;

  DurableNumbers(World world, SequenceNumbers numbers, Log log) {
    this.world = world;
    this.numbers = numbers;
    this.log = log;
  }

  /// Numbers in a row, taken by one batch of operations. Its fate is guarded by the lock.
  static final class Batch {
    final long first;
    private final long takenNanos;
    private Log.@Nullable Ticket ticket;
    private boolean hasFailed;

    private Batch(long first, long takenNanos) {
      this.first = first;
      this.takenNanos = takenNanos;
    }
  }

  /// Takes `count` numbers. Whoever does says later what became of them, by [#logged] or [#failed].
  Batch take(int count) {
    lock.lock();
    try {
      forgetDurable();
      Batch batch = new Batch(numbers.take(count), world.clock().nanoTime());
      batches.put(batch.first, batch);
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /// The log has the batch.
  void logged(Batch batch, Log.Ticket ticket) {
    lock.lock();
    try {
      batch.ticket = ticket;
      logged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Lucene may have the batch, the log does not and never will: the shard has failed.
  void failed(Batch batch) {
    lock.lock();
    try {
      batch.hasFailed = true;
      logged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Every operation up to this one is durable; [SequenceNumbers#NONE] for none.
  public long max() {
    lock.lock();
    try {
      forgetDurable();
      return known;
    } finally {
      lock.unlock();
    }
  }

  /// Whether an operation is known to be durable, at the price of one comparison for nearly all
  /// that are.
  ///
  /// @param seqNo of this shard; [SequenceNumbers#NONE] for no operation
  public boolean has(long seqNo) {
    if (seqNo <= known) {
      return true;
    }
    lock.lock();
    try {
      forgetDurable();
      Batch batch = batchOf(seqNo);
      return batch == null || (batch.ticket != null && log.isDurable(batch.ticket));
    } finally {
      lock.unlock();
    }
  }

  /// How long the oldest operation that is not known to be durable has not been; zero when all are.
  public Duration waiting() {
    lock.lock();
    try {
      forgetDurable();
      return batches.isEmpty()
          ? Duration.ZERO
          : Duration.ofNanos(world.clock().nanoTime() - batches.firstEntry().getValue().takenNanos);
    } finally {
      lock.unlock();
    }
  }

  /// Waits until an operation is durable.
  ///
  /// @return false when it is not after so long
  /// @throws Log.EvictedException when this node was fenced: it will never be
  /// @throws IOException when the shard failed before the log had the operation
  boolean await(long seqNo, Duration max) throws IOException, InterruptedException {
    if (seqNo <= known) {
      return true;
    }
    long endNanos = world.clock().nanoTime() + max.toNanos();
    Log.Ticket ticket = ticket(seqNo, endNanos);
    return ticket != null
        && log.await(ticket, Duration.ofNanos(endNanos - world.clock().nanoTime()));
  }

  /// Where the log has the operation; null when it has not taken it in time.
  private Log.@Nullable Ticket ticket(long seqNo, long endNanos)
      throws IOException, InterruptedException {
    lock.lock();
    try {
      while (true) {
        forgetDurable();
        Batch batch = batchOf(seqNo);
        if (batch == null) {
          return new Log.Ticket(-1); // durable, and forgotten
        }
        if (batch.ticket != null) {
          return batch.ticket;
        }
        if (batch.hasFailed) {
          throw new IOException("the shard failed before its log had an operation");
        }
        long leftNanos = endNanos - world.clock().nanoTime();
        if (leftNanos <= 0) {
          return null;
        }
        world.sleeper().await(lock, logged, Duration.ofNanos(leftNanos));
      }
    } finally {
      lock.unlock();
    }
  }

  /// The batch that took a number; null when it is durable. Holes belong to the batch before them.
  private @Nullable Batch batchOf(long seqNo) {
    Map.Entry<Long, Batch> entry = seqNo <= known ? null : batches.floorEntry(seqNo);
    return entry == null ? null : entry.getValue();
  }

  private void forgetDurable() {
    while (!batches.isEmpty()) {
      Log.Ticket first = batches.firstEntry().getValue().ticket;
      if (first == null || !log.isDurable(first)) {
        break;
      }
      var _ = batches.pollFirstEntry();
    }
    long reached = batches.isEmpty() ? numbers.max() : batches.firstKey() - 1;
    if (reached != known) {
      known = reached;
    }
  }
}
