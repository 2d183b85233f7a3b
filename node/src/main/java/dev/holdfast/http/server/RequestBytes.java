package dev.holdfast.http.server;

import dev.holdfast.world.Breakers;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The breaker `inflight_requests`: bytes of request bodies held now, bounded, so that a burst is
/// answered 429 before memory runs out; small requests last.
///
/// Where there is no room, bodies that do not come on are given up for it, the longest waiting
/// first: clients that begin many and end none would keep all others out. While there is room
/// nobody is.
public final class RequestBytes {
  /// What a request costs beside its body, its thread's stack above all; bounds the number of small
  /// ones. 6,000 that waited for a processor took 17 KiB each.
  static final long OVERHEAD_BYTES = 20 << 10;

  /// Of the limit, what is made room for at once, so that not each request looks: a 64th.
  private static final int STEP_SHARE = 64;

  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong tripped = new AtomicLong();

  /// Of requests whose bodies have not come whole and did not come on when that was looked at.
  private final Set<Reservation> waiting = ConcurrentHashMap.newKeySet();

  public RequestBytes(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  public long bytesMax() {
    return bytesMax;
  }

  /// Requests without bodies that half of it has room for.
  long requestsOfHalf() {
    return bytesMax / 2 / OVERHEAD_BYTES;
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
    return begin(false);
  }

  /// The same.
  ///
  /// @param isGreedy whether its client has its share of requests already: it finds room in the
  ///   first half only
  Reservation begin(boolean isGreedy) {
    Reservation reservation = new Reservation();
    if (isGreedy && bytes.get() > bytesMax / 2) {
      throw reservation.tooMuch(bytes.get() + OVERHEAD_BYTES);
    }
    reservation.add(OVERHEAD_BYTES);
    return reservation;
  }

  /// Gives bodies of others up that do not come on.
  ///
  /// @return whether any was
  private boolean makeRoom(long wanted, Reservation asking) {
    if (waiting.isEmpty()) {
      return false;
    }
    List<Waiting> longestFirst =
        waiting.stream()
            .filter(body -> body != asking)
            .map(body -> new Waiting(body, body.looksWaited))
            .sorted(Comparator.comparingInt(Waiting::looks).reversed())
            .toList();
    long enough = Math.max(wanted, bytesMax / STEP_SHARE);
    long made = 0;
    for (Waiting one : longestFirst) {
      if (made >= enough) {
        break;
      }
      made += one.body.giveUp();
    }
    return made > 0;
  }

  /// How long a body waited when room was sought; it may come on meanwhile.
  private record Waiting(Reservation body, int looks) {}

  /// What one request holds; given back all at once. One thread at a time adds.
  public final class Reservation implements AutoCloseable {
    private long held;
    private boolean isGivenUp;
    private @Nullable Runnable onGivenUp;

    /// Looks in a row that found the body no further; for those that seek room.
    private volatile int looksWaited;

    /// @throws Refusal `circuit_breaking_exception` (429) when too much would be held; nothing more
    ///   is held then
    public void add(long more) {
      long missing = take(more);
      if (missing > 0 && makeRoom(missing, this)) {
        missing = take(more);
      }
      if (missing > 0) {
        throw tooMuch(bytes.get() + more);
      }
    }

    /// @return 0 when it is held, else the bytes that there is no room for
    private synchronized long take(long more) {
      if (isGivenUp) {
        throw tooSlow();
      }
      long missing = bytes.addAndGet(more) - Breakers.limit(bytesMax, held + more);
      if (missing > 0) {
        bytes.addAndGet(-more);
        return missing;
      }
      held += more;
      return 0;
    }

    /// Asks whether more could be held now; holds nothing.
    ///
    /// @throws Refusal `circuit_breaking_exception` (429)
    void requireRoom(long more) {
      if (more <= bytesMax && missing(more) > 0) {
        boolean _ = makeRoom(missing(more), this);
      }
      if (missing(more) > 0) {
        throw tooMuch(bytes.get() + more);
      }
    }

    private synchronized long missing(long more) {
      return bytes.get() + more - Breakers.limit(bytesMax, held + more);
    }

    /// With the limit as it is set, whatever a small request may take beyond it.
    private Refusal tooMuch(long wanted) {
      tripped.incrementAndGet();
      return Refusal.tooMuchMemory("inflight_requests", "<http_request>", wanted, bytesMax, true);
    }

    /// Why it was given up.
    Refusal tooSlow() {
      return new Refusal(
          ErrorType.CIRCUIT_BREAKING,
          "[inflight_requests] the body came too slowly while there was no room for others, whose"
              + " requests were taken instead, retry later");
    }

    /// The body comes from now on: it may be given up where it does not come on.
    ///
    /// @param whenGivenUp told on any thread, once; nothing is held then
    synchronized void arriving(Runnable whenGivenUp) {
      onGivenUp = whenGivenUp;
    }

    /// Looked whether the body has come on.
    ///
    /// @param looks in a row that found it has not
    synchronized void waited(int looks) {
      looksWaited = looks;
      if (looks == 0 || onGivenUp == null) {
        waiting.remove(this);
      } else {
        waiting.add(this);
      }
    }

    /// The body has come whole, or comes no more.
    ///
    /// @return whether it was not given up
    synchronized boolean arrived() {
      waiting.remove(this);
      onGivenUp = null;
      return !isGivenUp;
    }

    /// @return bytes that it held
    private long giveUp() {
      Runnable tell;
      long freed;
      synchronized (this) {
        tell = onGivenUp;
        if (tell == null) {
          return 0;
        }
        freed = held;
        close();
        waiting.remove(this);
        onGivenUp = null;
        isGivenUp = true;
      }
      tripped.incrementAndGet();
      tell.run();
      return freed;
    }

    /// Gives some of it back.
    synchronized void give(long less) {
      if (isGivenUp) {
        return; // all of it was
      }
      Promise.keep(less <= held, "no more is given back than held", "bytes", less);
      bytes.addAndGet(-less);
      held -= less;
    }

    @Override
    public synchronized void close() {
      long now = bytes.addAndGet(-held);
      held = 0;
      Promise.keep(now >= 0, "held bytes are given back once", "bytes", now);
    }
  }
}
