package dev.holdfast.world;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A budget of memory that requests share. Any thread may ask.
public final class CircuitBreaker {
  private final String name;
  private volatile long limit;
  private final @Nullable HeapUse heap;

  /// As the parent knows it.
  private final LongSupplier counted;

  private final AtomicLong bytes = new AtomicLong();

  /// Of these, what small requests took where others held all there is, or more: answers of writes
  /// are held whatever the limit says.
  private final AtomicLong beyond = new AtomicLong();

  private final AtomicLong tripped = new AtomicLong();

  /// @param name as Elasticsearch's: `request`, `fielddata`, …
  /// @param limit bytes
  /// @param heap the parent; null for a budget of its own
  public CircuitBreaker(String name, long limit, @Nullable HeapUse heap) {
    this.name = name;
    this.limit = limit;
    this.heap = heap;
    this.counted = this::bytes;
    if (heap != null) {
      heap.add(counted);
    }
  }

  /// A budget of its own with a fixed limit in bytes.
  public CircuitBreaker(String name, long limit) {
    this(name, limit, null);
  }

  /// The parent counts it no more: nobody asks it again.
  public void close() {
    if (heap != null) {
      heap.remove(counted);
    }
  }

  public String name() {
    return name;
  }

  /// The most bytes held at once.
  public long limit() {
    return limit;
  }

  public void limit(long bytes) {
    limit = bytes;
  }

  /// Bytes held now.
  public long bytes() {
    return bytes.get();
  }

  /// Reservations refused since start.
  public long tripped() {
    return tripped.get();
  }

  /// Begins a request that holds nothing yet.
  ///
  /// @param label what the memory is for, for messages: `<http_request>`, `<agg [name]>`
  public Reservation begin(String label) {
    return new Reservation(this, label, false);
  }

  /// The same of a request by itself, no part of another one: large ones wait for those that are
  /// quick ([HeapUse#awaitTurn]).
  public Reservation beginRequest(String label) {
    return new Reservation(this, label, true);
  }

  @Nullable HeapUse heap() {
    return heap;
  }

  /// Notes memory that no request but a cache gives back, by [#giveBack].
  ///
  /// @param label what it is for
  /// @throws Refusal `circuit_breaking_exception` (429); nothing is held then
  public void take(long more, String label) {
    var _ = take(more, label, Long.MAX_VALUE);
  }

  /// Notes memory of a request.
  ///
  /// @param held what the request holds with it: small ones are refused last
  /// @return how much of it lies beyond the limit, for [#giveBack(long, long)]
  long take(long more, String label, long held) {
    long wanted = bytes.addAndGet(more);
    boolean isBeyond = wanted > limit || wanted < 0;
    if (isBeyond && (wanted < 0 || !hasTakenBeyond(more, held))) {
      bytes.addAndGet(-more);
      tripped.incrementAndGet();
      throw Refusal.tooMuchMemory(
          name,
          label,
          wanted < 0 ? Long.MAX_VALUE : wanted,
          limit,
          more <= Breakers.limit(limit, held));
    }
    long taken = isBeyond ? more : 0;
    if (heap != null) {
      try {
        heap.check(more, label, held);
      } catch (Refusal e) {
        giveBack(more, taken);
        throw e;
      }
    }
    return taken;
  }

  /// What others hold beyond the limit leaves small ones as much as if they held the limit.
  private boolean hasTakenBeyond(long more, long held) {
    long max = Breakers.limit(limit, held) - limit;
    if (more > max) {
      return false;
    }
    if (beyond.addAndGet(more) <= max) {
      return true;
    }
    beyond.addAndGet(-more);
    return false;
  }

  /// Notes that memory is free again.
  public void giveBack(long held) {
    bytes.addAndGet(-held);
  }

  /// The same of memory of a request.
  ///
  /// @param taken of it beyond the limit
  void giveBack(long held, long taken) {
    bytes.addAndGet(-held);
    beyond.addAndGet(-taken);
  }

  /// Notes memory that is taken whatever the limit says: others are refused for it.
  void hold(long more) {
    bytes.addAndGet(more);
  }

  /// Whether so much more could be taken now, several times over what a step is: nobody is refused
  /// for what was only taken ahead of need.
  boolean hasRoomFor(long more) {
    return left() > more && (heap == null || heap.hasRoomFor(more));
  }

  /// How much more may be taken now; at least 0.
  long left() {
    return Math.max(0, limit - bytes.get());
  }
}
