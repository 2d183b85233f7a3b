package dev.holdfast.world;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The parent of all breakers: real use of the heap. What was alive after the last collection, and
/// what the budgets took since, must fit.
///
/// Garbage does not count: use between two collections says nothing of what is alive. Most
/// collections look at what is young only; what they leave alone may be alive or not. So there are
/// two figures: what there is at most (since any collection) and at least (since one of the whole
/// heap). While the first is within the limit nobody is refused. Else the whole heap is collected,
/// unless that was just done, and the second decides.
///
/// What large requests have that nobody counted may have gone since the whole heap was collected.
/// Small ones need so little that what they ask for is not refused for it, nor waits for a
/// collection, while there is room in the heap; nor are they refused for what was found a while
/// ago. A heap that is full of what is alive is collected as a whole again and again, without being
/// told to.
///
/// What nobody counts can fill the heap all the same. Where a collection of the whole heap leaves
/// far more alive than the limit, what has run for long and can be ended is: only its end helps,
/// and the node would die.
public final class HeapUse {
  private static final Logger LOG = LoggerFactory.getLogger(HeapUse.class);

  /// The whole heap is collected for the sake of the limit at most so often, and for a tenth of the
  /// time.
  private static final long COLLECT_EVERY_NANOS_MIN = 500_000_000L;

  private static final long COLLECT_EVERY_NANOS_MAX = 30_000_000_000L;
  private static final int COLLECT_SHARE = 10;

  /// For how long small requests are refused for what the last collection of the whole heap found.
  private static final long FRESH_NANOS = 1_000_000_000L;

  /// Of the limit, what is free where a small request finds room: a sixteenth.
  private static final int SMALL_ROOM_SHARE = 16;

  /// How often a small request looks whether there is room by now, and how long it waits before.
  private static final int SOON_PAUSES = 10;

  private static final long SOON_NANOS = 200_000_000L;

  /// How many wait so at a time: they are threads of pools, and others need one.
  private static final int SOON_WAITING_MAX = 12;

  /// Of the limit, what may be alive beyond it before what runs is ended: a quarter. And of the
  /// heap, what is left free: a thirty-second.
  private static final int FULL_SHARE = 4;

  private static final int LEFT_SHARE = 32;

  /// What has filled a heap has run for so long.
  private static final long LONG_NANOS = 1_000_000_000L;

  /// How the process's memory is seen.
  public interface Source {
    /// Bytes that the last collections found alive or did not look at.
    long alive();

    /// How many collections there were.
    long collections();

    /// How many of them were of the whole heap.
    long wholeCollections();

    /// Bytes of the heap, at most.
    default long max() {
      return Long.MAX_VALUE;
    }

    /// Bytes that nothing lies in now, neither what is alive nor garbage.
    long free();

    /// How much may be alive before collections do nothing but find that it is.
    long room();

    /// Collects all garbage now.
    void collect();

    /// For how long collections have stopped everything, since the start.
    long stoppedNanos();

    /// Lets others work for a while.
    void pause(long nanos) throws InterruptedException;

    long nanoTime();
  }

  /// A heap that nobody looks at.
  static final Source UNSEEN =
      new Source() {
        @Override
        public long alive() {
          return 0;
        }

        @Override
        public long collections() {
          return 0;
        }

        @Override
        public long wholeCollections() {
          return 0;
        }

        @Override
        public long free() {
          return Long.MAX_VALUE;
        }

        @Override
        public long room() {
          return Long.MAX_VALUE;
        }

        @Override
        public void collect() {}

        @Override
        public long stoppedNanos() {
          return 0;
        }

        @Override
        public void pause(long nanos) {}

        @Override
        public long nanoTime() {
          return 0;
        }
      };

  private final long limitDefault;
  private volatile long limit;
  private final Source source;
  private final List<LongSupplier> budgets = new CopyOnWriteArrayList<>();
  private final AtomicLong tripped = new AtomicLong();
  private final AtomicInteger waitingSoon = new AtomicInteger();
  private final Reservation.Pace pace;
  private final Set<Reservation> running = ConcurrentHashMap.newKeySet();

  /// Held by who changes what follows. Who only compares waits for nobody: searches do that all the
  /// time, and those that hold it may have little of the processors.
  private final ReentrantLock lock = new ReentrantLock();

  private volatile long collectionsSeen = -1;
  private volatile long othersMax;
  private volatile long othersMin;
  private volatile long wholeNanos;

  // Guarded by the lock.
  private long wholeSeen = -1;
  private long collectedNanos;
  private long nextNanos;
  private boolean hasCollected;

  /// @param limit bytes, unless collections can do with fewer
  HeapUse(long limit, Source source) {
    this.limitDefault = Math.min(limit, Breakers.below(source.room()));
    this.limit = limitDefault;
    this.source = source;
    this.pace = new Reservation.Pace(source);
  }

  /// The limit while nobody says another one.
  public long limitDefault() {
    return limitDefault;
  }

  /// Adds a budget.
  ///
  /// @param held bytes that it holds now
  public void add(LongSupplier held) {
    budgets.add(held);
  }

  void remove(LongSupplier held) {
    budgets.remove(held);
  }

  public long limit() {
    return limit;
  }

  public void limit(long bytes) {
    limit = bytes;
  }

  public long tripped() {
    return tripped.get();
  }

  /// Bytes alive, as far as is known: after the last collection, and what the budgets took since.
  public long bytes() {
    return held(0) + othersMax;
  }

  /// What the budgets hold, having looked whether there was a collection.
  ///
  /// @param more of it, bytes that are taken but not allocated yet
  private long held(long more) {
    long held = budgets.stream().mapToLong(LongSupplier::getAsLong).sum();
    if (source.collections() != collectionsSeen && lock.tryLock()) {
      try {
        look(held - more);
      } finally {
        lock.unlock();
      }
    }
    return held;
  }

  /// Sees what there has been of collections, with the lock.
  private void look(long allocated) {
    long count = source.collections();
    if (count != collectionsSeen) {
      othersMax = Math.max(0, source.alive() - allocated);
      collectionsSeen = count;
    }
    long whole = source.wholeCollections();
    if (whole != wholeSeen) {
      wholeSeen = whole;
      wholeNanos = source.nanoTime();
      othersMin = othersMax;
      if (source.alive() > full()) {
        endLong();
      }
    }
  }

  /// How much is alive only because of what nobody counted.
  private long full() {
    long beyond = limit > Long.MAX_VALUE / 2 ? limit : limit + limit / FULL_SHARE;
    return Math.min(beyond, source.max() - source.max() / LEFT_SHARE);
  }

  private void endLong() {
    int ended = 0;
    for (Reservation one : running) {
      if (wholeNanos - one.beganNanos() > LONG_NANOS) {
        one.end(wholeNanos);
        ended++;
      }
    }
    if (ended > 0) {
      tripped.incrementAndGet();
      LOG.warn(
          "the heap is full of what no budget knows of: requests that have run for more than a"
              + " second are ended [alive={}, limit={}, requests={}]",
          new ByteSize(source.alive()),
          new ByteSize(limit),
          ended);
    }
  }

  /// Sees whether there has been a collection: while the heap is full few get to ask.
  public void watch() {
    if (source.collections() != collectionsSeen) {
      long _ = held(0);
    }
  }

  /// Something holds memory, until [#ended].
  void began(Reservation one) {
    running.add(one);
  }

  void ended(Reservation one) {
    running.remove(one);
  }

  /// Asked when a budget has taken more, and now and then by loops whose memory nobody counts.
  ///
  /// @param more bytes just taken; 0 for none
  /// @param held what the request holds of its budget: small ones are refused last
  /// @throws Refusal `circuit_breaking_exception` (429)
  public void check(long more, String label, long held) {
    long max = Breakers.limit(limit, held);
    boolean isSmall = Breakers.isSmall(held);
    if (fits(more, max, isSmall) || (isSmall && fitsSoon(more, max))) {
      return;
    }
    tripped.incrementAndGet();
    throw Refusal.tooMuchMemory("parent", label, bytes(), limit, more <= limit / 2);
  }

  /// Whether a small request finds room when it waits a little: those that fill the heap are
  /// refused for it, and end.
  private boolean fitsSoon(long more, long max) {
    boolean fits = false;
    boolean mayWait = waitingSoon.incrementAndGet() <= SOON_WAITING_MAX && StopSignal.isBound();
    try {
      for (int i = 0; i < SOON_PAUSES && !fits && mayWait; i++) {
        source.pause(SOON_NANOS);
        StopSignal.lookForCancelling();
        fits = fits(more, max, true);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      StopSignal.lookForCancelling();
    } finally {
      waitingSoon.decrementAndGet();
    }
    return fits;
  }

  /// Whether so much more would fit, as far as is known without a collection.
  boolean hasRoomFor(long more) {
    return held(0) + othersMax + more <= limit;
  }

  long nanoTime() {
    return source.nanoTime();
  }

  /// Notes that a request has ended that held little.
  void smallEnded(long beganNanos) {
    pace.smallEnded(beganNanos);
  }

  /// Asked before a large request grows: it may have to wait.
  ///
  /// @param waitedNanos what the request has waited so far, which grows
  /// @throws Refusal `task_cancelled_exception`
  void awaitTurn(AtomicLong waitedNanos) {
    if (!source.equals(UNSEEN)) {
      pace.await(waitedNanos);
    }
  }

  /// What large requests have waited.
  public long waitedNanos() {
    return pace.waitedNanos();
  }

  private boolean fits(long more, long max, boolean isSmall) {
    if (isWithin(held(more), more, max, isSmall)) {
      return true;
    }
    lock.lock();
    try {
      // Who has waited may find that another one has just collected.
      return isWithin(held(more), more, max, isSmall) || fitsCollected(more, max, isSmall);
    } finally {
      lock.unlock();
    }
  }

  /// Whether it fits without a collection, for all that is known.
  private boolean isWithin(long budgeted, long more, long max, boolean isSmall) {
    // Who only polls may have what nobody counted itself.
    return budgeted + othersMax <= max || (isSmall && more > 0 && isRoomForSmall(budgeted));
  }

  /// With the lock: while the heap is collected, everybody waits anyway.
  private boolean fitsCollected(long more, long max, boolean isSmall) {
    long now = source.nanoTime();
    if (!hasCollected || now - collectedNanos > nextNanos) {
      source.collect();
      hasCollected = true;
      collectedNanos = source.nanoTime();
      nextNanos =
          Math.clamp(
              COLLECT_SHARE * (collectedNanos - now),
              COLLECT_EVERY_NANOS_MIN,
              COLLECT_EVERY_NANOS_MAX);
    }
    long budgeted = held(more);
    boolean isOld = source.nanoTime() - wholeNanos > FRESH_NANOS;
    return budgeted + othersMin <= max || (isSmall && isOld && budgeted <= limit);
  }

  /// @param budgeted what the budgets hold: where that fills the heap, it does not go so soon
  private boolean isRoomForSmall(long budgeted) {
    return budgeted <= limit / 2 && source.free() >= limit / SMALL_ROOM_SHARE;
  }
}
