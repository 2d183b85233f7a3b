package dev.holdfast.world;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A budget of memory that requests share. Any thread may ask.
public final class CircuitBreaker {
  private final String name;
  private volatile long limit;
  private final @Nullable HeapUse heap;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong tripped = new AtomicLong();

  /// @param name as Elasticsearch's: `request`, `fielddata`, …
  /// @param limit bytes
  /// @param heap the parent; null for a budget of its own
  public CircuitBreaker(String name, long limit, @Nullable HeapUse heap) {
    this.name = name;
    this.limit = limit;
    this.heap = heap;
    if (heap != null) {
      heap.add(this::bytes);
    }
  }

  /// A budget of its own with a fixed limit in bytes.
  public CircuitBreaker(String name, long limit) {
    this(name, limit, null);
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
    return new Reservation(this, label);
  }

  /// Notes memory that no request but a cache gives back, by [#giveBack].
  ///
  /// @param label what it is for
  /// @throws Refusal `circuit_breaking_exception` (429); nothing is held then
  public void take(long more, String label) {
    take(more, label, Long.MAX_VALUE);
  }

  /// Notes memory of a request.
  ///
  /// @param held what the request holds with it: small ones are refused last
  void take(long more, String label, long held) {
    long wanted = bytes.addAndGet(more);
    long max = Breakers.limit(limit, held);
    if (wanted > max || wanted < 0) {
      bytes.addAndGet(-more);
      tripped.incrementAndGet();
      throw Refusal.tooMuchMemory(
          name, label, wanted < 0 ? Long.MAX_VALUE : wanted, limit, more <= max);
    }
    if (heap != null) {
      try {
        heap.check(more, label, held);
      } catch (Refusal e) {
        bytes.addAndGet(-more);
        throw e;
      }
    }
  }

  /// Notes that memory is free again.
  public void giveBack(long held) {
    bytes.addAndGet(-held);
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
