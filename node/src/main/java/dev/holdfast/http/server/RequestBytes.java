package dev.holdfast.http.server;

import dev.holdfast.world.Breakers;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.util.concurrent.atomic.AtomicLong;

/// The breaker `inflight_requests`: bytes of request bodies held now, bounded, so that a burst is
/// answered 429 before memory runs out; small requests last.
public final class RequestBytes {
  /// What a request costs beside its body; bounds the number of small ones.
  static final long OVERHEAD_BYTES = 8 << 10;

  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong tripped = new AtomicLong();

  public RequestBytes(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  public long bytesMax() {
    return bytesMax;
  }

  /// Bytes held now.
  public long bytes() {
    return bytes.get();
  }

  /// Requests refused since start.
  public long tripped() {
    return tripped.get();
  }

  /// Begins a request: nothing is held but its overhead.
  ///
  /// @throws Refusal 429
  public Reservation begin() {
    Reservation reservation = new Reservation();
    reservation.add(OVERHEAD_BYTES);
    return reservation;
  }

  /// What one request holds; given back all at once. Used by one thread at a time.
  public final class Reservation implements AutoCloseable {
    private long held;

    /// @throws Refusal `circuit_breaking_exception` (429) when too much would be held; nothing more
    ///   is held then
    public void add(long more) {
      long wanted = bytes.addAndGet(more);
      if (wanted > Breakers.limit(bytesMax, held + more)) {
        bytes.addAndGet(-more);
        throw tooMuch(wanted);
      }
      held += more;
    }

    /// Asks whether more could be held now; holds nothing.
    ///
    /// @throws Refusal `circuit_breaking_exception` (429)
    void requireRoom(long more) {
      long wanted = bytes.get() + more;
      if (wanted > Breakers.limit(bytesMax, held + more)) {
        throw tooMuch(wanted);
      }
    }

    /// With the limit as it is set, whatever a small request may take beyond it.
    private Refusal tooMuch(long wanted) {
      tripped.incrementAndGet();
      return Refusal.tooMuchMemory("inflight_requests", "<http_request>", wanted, bytesMax, true);
    }

    /// Gives some of it back.
    void give(long less) {
      Promise.keep(less <= held, "no more is given back than held", "bytes", less);
      bytes.addAndGet(-less);
      held -= less;
    }

    @Override
    public void close() {
      long now = bytes.addAndGet(-held);
      held = 0;
      Promise.keep(now >= 0, "held bytes are given back once", "bytes", now);
    }
  }
}
