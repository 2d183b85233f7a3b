package dev.holdfast.world.real;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkMemory;
import dev.holdfast.world.WorkPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A [WorkPool] of platform threads. Places (threads and queue together) are taken before anything
/// is submitted, so that a refused list of work has not half run. Of each list no more wait in the
/// queue than there are threads: lists take turns, however long they are, and so do requests,
/// however many lists they have. Lists are of one request that draw from the same budget of memory
/// ([WorkMemory]); where none is bound, each is of its own.
///
/// In a fair pool a piece of work that has run for long gives up its thread's place: another thread
/// takes it, and the machine's scheduler shares the processors between them. What has had a
/// processor for long goes on at a lower priority ([ThreadPriority]), if somebody waits for it in
/// the pool.
@FromTheWorld
final class PlatformPool implements WorkPool {
  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

  /// How often somebody who waits looks for such work.
  private static final long LOOK_NANOS = 20_000_000;

  /// How often each does at least.
  private static final long LOOK_NANOS_MAX = 1_000_000_000;

  /// Of what is long, what somebody has a processor for between two looks before its thread is
  /// lowered.
  private static final int LOWERED_SHARE = 2;

  private final String name;
  private final int threads;
  private final int queueMax;
  private final PoolThreads pool;
  private final int extraMax;
  private final long longNanos;
  private final AtomicInteger taken = new AtomicInteger();
  private final LongAdder completed = new LongAdder();
  private final Turns turns = new Turns();
  private final ReentrantLock resizing = new ReentrantLock();

  private final Set<RunningWork> running = ConcurrentHashMap.newKeySet();

  private final AtomicLong rejected = new AtomicLong();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong lookedNanos = new AtomicLong(System.nanoTime());

  /// @param extraMax threads beyond `threads` while as much work has run for long
  /// @param longAfter what has run for longer gives up its place
  PlatformPool(String name, int threads, int queueMax, int extraMax, Duration longAfter) {
    this.name = name;
    this.extraMax = extraMax;
    this.longNanos = longAfter.toNanos();
    this.threads = threads;
    this.queueMax = queueMax;
    pool = new PoolThreads(name, threads);
  }

  @Override
  public <T> T call(Callable<T> work) throws Exception {
    return callAll(List.of(work)).getFirst();
  }

  @Override
  public <T> List<T> callAll(List<? extends Callable<T>> work) throws Exception {
    return callAll(work, false);
  }

  @Override
  public <T> List<T> callAllLarge(List<? extends Callable<T>> work) throws Exception {
    return callAll(work, extraMax > 0);
  }

  private <T> List<T> callAll(List<? extends Callable<T>> work, boolean isLarge) throws Exception {
    takePlaces(work.size());
    List<FutureTask<T>> futures = new ArrayList<>(work.size());
    for (Callable<T> one : work) {
      futures.add(new Piece<>(() -> run(one)));
    }
    Reservation memory = WorkMemory.bound();
    Object request = memory == null ? futures : memory;
    AtomicInteger next = new AtomicInteger();
    for (int i = 0; i < Math.min(threads, futures.size()); i++) {
      submit(request, isLarge, futures, next);
    }
    return waitForAll(futures);
  }

  /// Tells its end to who waits for it, which may start a thread for them.
  private static final class Piece<T> extends FutureTask<T> {
    Piece(Callable<T> work) {
      super(work);
    }

    @Override
    protected void set(T result) {
      PoolThread.apart(() -> super.set(result));
    }

    @Override
    protected void setException(Throwable failure) {
      PoolThread.apart(() -> super.setException(failure));
    }
  }

  /// Each thread takes whose turn it is by then.
  private <T> void submit(
      Object request, boolean isLarge, List<FutureTask<T>> list, AtomicInteger next) {
    turns.add(request, isLarge, () -> turn(request, isLarge, list, next));
    pool.execute(this::take);
  }

  private void take() {
    Turns.Turn turn = turns.next(Math.max(1, pool.size() - 1));
    if (turn == null) {
      return;
    }
    try {
      turn.work().run();
    } finally {
      if (turn.isLarge()) {
        PoolThread.apart(() -> {
          turns.ended();
          takeAgain(1);
        });
      }
    }
  }

  private void takeAgain(int max) {
    try {
      for (int again = turns.again(max); again > 0; again--) {
        pool.execute(this::take);
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("nothing more is done: the pool has been closed [pool={}]", name, e);
    }
  }

  private <T> T run(Callable<T> one) throws Exception {
    RunningWork work = new RunningWork((PoolThread) Thread.currentThread());
    running.add(work);
    try {
      return one.call();
    } finally {
      work.end();
      running.remove(work);
      taken.decrementAndGet();
      completed.increment();
      if (pool.size() > threads) {
        PoolThread.apart(this::resize);
      }
    }
  }

  /// Runs the next of a list, then goes behind what others have submitted meanwhile.
  private <T> void turn(
      Object request, boolean isLarge, List<FutureTask<T>> list, AtomicInteger next) {
    int mine = next.getAndIncrement();
    if (mine < list.size()) {
      list.get(mine).run();
    }
    if (next.get() < list.size()) {
      PoolThread.apart(() -> submitNext(request, isLarge, list, next));
    }
  }

  private <T> void submitNext(
      Object request, boolean isLarge, List<FutureTask<T>> list, AtomicInteger next) {
    try {
      submit(request, isLarge, list, next);
    } catch (RejectedExecutionException e) {
      list.forEach(left -> left.cancel(false)); // the pool has been closed
    }
  }

  /// As many threads more as there is work that has run for long.
  private void resize() {
    if (!resizing.tryLock()) {
      return; // somebody does it just now
    }
    try {
      resizeTo(wanted());
    } finally {
      resizing.unlock();
    }
  }

  private int wanted() {
    long now = System.nanoTime();
    long old = running.stream().filter(work -> now - work.sinceNanos > longNanos).count();
    return threads + (int) Math.min(old, extraMax);
  }

  private void resizeTo(int wanted) {
    int before = pool.size();
    if (wanted != before) {
      pool.resize(wanted);
      takeAgain(Math.max(0, wanted - before));
    }
  }

  private void takePlaces(int count) {
    int now = taken.addAndGet(count);
    // One list larger than the pool and its queue may still run alone, else it could never run.
    if (now > threads + queueMax && now != count) {
      taken.addAndGet(-count);
      rejected.addAndGet(count);
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "rejected execution: the "
              + name
              + " queue is full [active="
              + threads
              + ", queue_max="
              + queueMax
              + "]");
    }
  }

  private <T> List<T> waitForAll(List<FutureTask<T>> futures) throws Exception {
    List<T> results = new ArrayList<>(futures.size());
    Throwable first = null;
    for (Future<T> future : futures) {
      try {
        results.add(value(future));
      } catch (ExecutionException e) {
        first = first == null ? e.getCause() : first;
      }
    }
    switch (first) {
      case null -> {
        return results;
      }
      case Exception e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(first);
    }
  }

  private <T> T value(Future<T> future) throws InterruptedException, ExecutionException {
    waiting.incrementAndGet();
    long lookNanos = LOOK_NANOS;
    try {
      while (extraMax > 0) {
        try {
          return future.get(lookNanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          if (isFirstToLook()) {
            running.forEach(work -> work.look(longNanos / LOWERED_SHARE));
            if (queued() > 0) {
              resize();
            }
          }
          lookNanos = nextLookNanos(lookNanos, waiting.get());
        }
      }
      return future.get();
    } finally {
      waiting.decrementAndGet();
    }
  }

  /// Those who have waited for a while share the looks: thousands that each looked so often would
  /// do nothing else.
  ///
  /// @param lastNanos between the last two looks of one
  /// @param waiting how many wait
  static long nextLookNanos(long lastNanos, int waiting) {
    return Math.min(2 * lastNanos, Math.min(LOOK_NANOS_MAX, LOOK_NANOS * waiting));
  }

  /// Whether nobody has just looked.
  private boolean isFirstToLook() {
    long now = System.nanoTime();
    long last = lookedNanos.get();
    return now - last >= LOOK_NANOS && lookedNanos.compareAndSet(last, now);
  }

  @Override
  public int active() {
    return running.size();
  }

  @Override
  public int queued() {
    return Math.max(0, taken.get() - running.size());
  }

  @Override
  public long rejected() {
    return rejected.get();
  }

  @Override
  public long completed() {
    return completed.sum();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public int size() {
    return pool.size();
  }

  @Override
  public int largest() {
    return pool.largest();
  }

  @Override
  public int queueMax() {
    return queueMax;
  }

  @Override
  public void close() {
    pool.end();
  }

  /// Waits, after [#close], for work that does not end when it is interrupted: merges.
  void awaitEnd(Duration max) throws InterruptedException {
    if (!pool.awaitEnd(max)) {
      LOG.warn("work of a closed pool goes on [pool={}, active={}]", name, active());
    }
  }
}
