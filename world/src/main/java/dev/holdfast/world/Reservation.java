package dev.holdfast.world;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// What one request holds of a budget, given back all at once when the request ends. Any thread of
/// the request may add.
///
/// The budget itself is asked in steps: most calls touch nothing that other requests share.
public final class Reservation implements AutoCloseable {
  /// What is taken from the budget ahead of need, at most.
  private static final long STEP_BYTES = 256 << 10;

  /// What a request holds when it is large: it waits before it holds more, and again before it
  /// holds twice as much, while collections of the heap take too much of the time.
  static final long LARGE_BYTES = 2 << 20;

  /// For how long a request that is to end is told: each collection that finds the heap full says
  /// so again.
  private static final long ENDED_NANOS = 3_000_000_000L;

  private final CircuitBreaker breaker;
  private final String label;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();

  /// Of what was taken, what lies beyond the budget's limit. Guarded by this.
  private long beyond;

  private volatile boolean isClosed;

  /// Whether the heap knows of it. Guarded by this.
  private boolean isRunning;

  private final boolean isRequest;
  private final long beganNanos;

  /// What it holds when it next waits.
  private final AtomicLong nextLarge = new AtomicLong(LARGE_BYTES);

  /// What its request has waited, by all that it holds.
  private final AtomicLong waitedNanos;

  /// When it was last ended for the sake of the others, by all that its request holds; 0 for never.
  private final AtomicLong endedNanos;

  /// @param isRequest whether it is no part of one
  Reservation(CircuitBreaker breaker, String label, boolean isRequest) {
    this(breaker, label, isRequest, WorkMemory.bound());
  }

  private Reservation(
      CircuitBreaker breaker, String label, boolean isRequest, @Nullable Reservation of) {
    this.breaker = breaker;
    this.label = label;
    this.isRequest = isRequest;
    this.waitedNanos = of == null ? new AtomicLong() : of.waitedNanos;
    this.endedNanos = of == null ? new AtomicLong() : of.endedNanos;
    HeapUse heap = breaker.heap();
    this.beganNanos = heap == null ? 0 : heap.nanoTime();
  }

  /// One that no other request shares, for a tool or a test.
  public static Reservation of(long bytesMax) {
    return new CircuitBreaker("request", bytesMax).begin("<request>");
  }

  /// One that no other request shares, of half of this process's heap.
  public static Reservation ofHeap() {
    return of(Runtime.getRuntime().maxMemory() / 2);
  }

  /// Another one of the same budget, for what is given back before this one is.
  public Reservation beside() {
    return new Reservation(breaker, label, false, this);
  }

  /// Notes memory before it is allocated.
  ///
  /// @throws Refusal `circuit_breaking_exception` (429) when the budget has no more; what was noted
  ///   before stays. `task_cancelled_exception` when the request is over
  public void add(long more) {
    if (used.addAndGet(more) > taken.get()) {
      take(more);
    }
  }

  /// Notes memory that can't be refused any more, as that of the answer of a write that was done:
  /// others are refused while it is held.
  public synchronized void hold(long more) {
    if (!isClosed) {
      used.addAndGet(more);
      taken.addAndGet(more);
      breaker.hold(more);
    }
  }

  /// The same at the begin of a request, when it has nothing yet that others wait for: it may wait
  /// though nothing ends it.
  public void addFirst(long more) {
    awaitTurn(used.get() + more);
    add(more);
  }

  /// @param held what it will hold
  private void awaitTurn(long held) {
    HeapUse heap = breaker.heap();
    long next = nextLarge.get();
    if (heap != null && held >= next && nextLarge.compareAndSet(next, 2 * held)) {
      heap.awaitTurn(waitedNanos);
    }
  }

  private void take(long more) {
    StopSignal.lookForCancelling(); // what grows is a loop
    if (StopSignal.isBound()) {
      if (isEnded()) {
        used.addAndGet(-more);
        throw ended();
      }
      awaitTurn(used.get());
    }
    takeStep(more);
  }

  private synchronized void takeStep(long more) {
    long missing = used.get() - taken.get();
    if (missing <= 0) {
      return;
    }
    if (isClosed) {
      // What a request does after its end is small, and nobody would give it back.
      requireAffordable(more);
      return;
    }
    boolean isAhead = missing < STEP_BYTES && breaker.hasRoomFor(2 * STEP_BYTES);
    long step = isAhead ? STEP_BYTES : missing;
    try {
      beyond += breaker.take(step, label, used.get());
    } catch (Refusal e) {
      used.addAndGet(-more);
      throw e;
    }
    taken.addAndGet(step);
    HeapUse heap = breaker.heap();
    if (heap != null && !isRunning) {
      isRunning = true;
      heap.began(this);
    }
  }

  long beganNanos() {
    return beganNanos;
  }

  /// The heap is full: what the request does is to end, where it can be.
  void end(long nowNanos) {
    endedNanos.set(nowNanos == 0 ? 1 : nowNanos);
  }

  /// Whether it was ended a moment ago. What is kept between requests may be used again later.
  boolean isEnded() {
    long at = endedNanos.get();
    HeapUse heap = breaker.heap();
    return at != 0 && heap != null && heap.nanoTime() - at < ENDED_NANOS;
  }

  /// What is said to a request that was.
  Refusal ended() {
    HeapUse heap = breaker.heap();
    long limit = heap == null ? breaker.limit() : heap.limit();
    return Refusal.tooMuchMemory(
        "parent", label, heap == null ? breaker.bytes() : heap.bytes(), limit, true);
  }

  private void requireAffordable(long more) {
    long wanted = used.get();
    if (wanted > breaker.limit()) {
      used.addAndGet(-more);
      throw Refusal.tooMuchMemory(breaker.name(), label, wanted, breaker.limit(), false);
    }
  }

  /// Notes that an array grows from one number of elements to another, both held while it is
  /// copied.
  ///
  /// @param elementBytes of one element
  public void grow(long from, long to, int elementBytes) {
    add(Math.max(0, to - from) * elementBytes);
  }

  /// Bytes noted and not given back.
  public long bytes() {
    return used.get();
  }

  /// How much more the budget has now.
  public long left() {
    return breaker.left() + Math.max(0, taken.get() - used.get());
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    breaker.giveBack(taken.get(), beyond);
    HeapUse heap = breaker.heap();
    if (heap != null && isRunning) {
      heap.ended(this);
    }
    if (heap != null && isRequest && Breakers.isSmall(used.get())) {
      heap.smallEnded(beganNanos);
    }
    Promise.keep(breaker.bytes() >= 0, "held bytes are given back once", "bytes", breaker.bytes());
  }

  /// How fast large requests grow. What they build up lives longer than the young do: it is copied,
  /// becomes old, and fills the heap, and while that is collected nobody is answered. So
  /// collections may stop everything for a fortieth of the time. Beyond that large requests wait
  /// before they grow, if there are quick ones, which would have to wait for them.
  ///
  /// Nobody waits for long: who holds memory while it waits keeps it from others, too.
  static final class Pace {
    /// Of the time.
    private static final int STOPPED_SHARE = 40;

    /// How far they may be ahead of that: what takes less makes no request slow.
    private static final long AHEAD_NANOS_MAX = 50_000_000L;

    /// What of it is remembered: it takes some seconds to make up for one long stop.
    private static final long OWED_NANOS_MAX = 400_000_000L;

    /// What a request that goes on will add, until that is known: those that wait do not all go on
    /// at once.
    private static final long EXPECTED_NANOS = 10_000_000L;

    /// How long one request waits at most, in all.
    private static final long WAIT_NANOS_MAX = 7_000_000_000L;

    /// How many threads of pools wait at most: a pool has 16 more for what takes long, and quick
    /// requests need one.
    private static final int WAITING_IN_POOLS_MAX = 12;

    private static final long PAUSE_NANOS = 20_000_000L;
    private static final long PAUSE_NANOS_MAX = 500_000_000L;

    /// How long a quick request takes at most.
    private static final long QUICK_NANOS = 250_000_000L;

    /// For how long after one more are expected.
    private static final long QUICK_EXPECTED_NANOS = 1_000_000_000L;

    private final LongAdder waitedNanos = new LongAdder();
    private final HeapUse.Source source;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger waitingInPools = new AtomicInteger();
    private volatile long quickNanos;

    // Guarded by this.
    private long seenNanos;
    private long seenStopped;
    private long owedNanos;

    Pace(HeapUse.Source source) {
      this.source = source;
      this.seenNanos = source.nanoTime();
      this.quickNanos = seenNanos - QUICK_EXPECTED_NANOS;
    }

    long waitedNanos() {
      return waitedNanos.sum();
    }

    void smallEnded(long beganNanos) {
      long now = source.nanoTime();
      if (now - beganNanos <= QUICK_NANOS) {
        quickNanos = now;
      }
    }

    void await(AtomicLong waited) {
      if (Thread.currentThread().isVirtual()) {
        awaitCalm(waited);
        return;
      }
      try {
        if (waitingInPools.incrementAndGet() <= WAITING_IN_POOLS_MAX) {
          awaitCalm(waited);
        }
      } finally {
        waitingInPools.decrementAndGet();
      }
    }

    private void awaitCalm(AtomicLong waited) {
      long startNanos = source.nanoTime();
      long maxNanos = WAIT_NANOS_MAX - waited.get();
      waiting.incrementAndGet();
      try {
        for (long now = startNanos;
            now - startNanos < maxNanos && !mayGrow(now) && !StopSignal.isTimeOver();
            now = source.nanoTime()) {
          source.pause(Math.min(PAUSE_NANOS * waiting.get(), PAUSE_NANOS_MAX));
          StopSignal.lookForCancelling();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        StopSignal.lookForCancelling();
      } finally {
        waiting.decrementAndGet();
        long tookNanos = source.nanoTime() - startNanos;
        waited.addAndGet(tookNanos);
        waitedNanos.add(tookNanos);
      }
    }

    private synchronized boolean mayGrow(long now) {
      long stopped = source.stoppedNanos();
      long more = stopped - seenStopped - (now - seenNanos) / STOPPED_SHARE;
      owedNanos = Math.clamp(owedNanos + more, 0, OWED_NANOS_MAX);
      seenStopped = stopped;
      seenNanos = now;
      if (owedNanos > AHEAD_NANOS_MAX && now - quickNanos < QUICK_EXPECTED_NANOS) {
        return false;
      }
      owedNanos += EXPECTED_NANOS;
      return true;
    }
  }
}
