package dev.holdfast.http;

import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The memory of the request that the thread works for: what a body becomes when it is read, what
/// is kept until the answer, and the answer. Whoever allocates by the size of a request asks here
/// before, so that no part on the way need be handed the budget.
///
/// Bound by the HTTP edge for the time of one request; nothing is asked where none is bound, nor
/// for the first [#FREE_BYTES] of a request: whatever the budget was set to, a small request sets
/// it right, and what is wrong can be looked at.
public final class RequestMemory {
  /// What a request may take unasked.
  static final long FREE_BYTES = 16 << 10;

  private static final ScopedValue<RequestMemory> BOUND = ScopedValue.newInstance();

  private final Reservation reservation;
  private final AtomicLong noted = new AtomicLong();
  private volatile boolean isSettled;

  private RequestMemory(Reservation reservation) {
    this.reservation = reservation;
  }

  /// Runs the work of a request, and gives back what it took.
  ///
  /// @param breaker the budget
  /// @param label what refusals call the request
  public static <T, X extends Throwable> T during(
      CircuitBreaker breaker, String label, ScopedValue.CallableOp<? extends T, X> work) throws X {
    try (Reservation reservation = breaker.beginRequest(label)) {
      return new RequestMemory(reservation).<T, X>bind(work);
    }
  }

  /// The same work for another thread of the request.
  public static <T> Callable<T> handedOn(Callable<T> work) {
    RequestMemory bound = bound();
    return bound == null ? work : () -> bound.<T, Exception>bind(work::call);
  }

  private <T, X extends Throwable> T bind(ScopedValue.CallableOp<? extends T, X> work) throws X {
    return WorkMemory.<T, X>during(
        reservation, () -> ScopedValue.where(BOUND, this).<T, X>call(work));
  }

  /// Notes memory before it is allocated.
  ///
  /// @throws Refusal `circuit_breaking_exception` (429) when the budget has no more
  public static void add(long bytes) {
    RequestMemory bound = bound();
    if (bound == null) {
      return;
    }
    long above = bound.noted.addAndGet(bytes) - FREE_BYTES;
    if (above > 0) {
      bound.note(Math.min(bytes, above));
    }
  }

  /// The same at the begin of a request, when it has nothing yet that others wait for: a large one
  /// may have to wait.
  public static void addFirst(long bytes) {
    RequestMemory bound = bound();
    if (bound == null) {
      return;
    }
    long above = bound.noted.addAndGet(bytes) - FREE_BYTES;
    if (above > 0) {
      bound.reservation.addFirst(Math.min(bytes, above));
    }
  }

  private void note(long bytes) {
    if (isSettled) {
      reservation.hold(bytes);
    } else {
      reservation.add(bytes);
    }
  }

  /// The request has done what cannot be taken back: nothing is refused any more, so that its
  /// client hears of it. What it takes from now on counts for others.
  public static void settle() {
    RequestMemory bound = bound();
    if (bound != null) {
      bound.isSettled = true;
    }
  }

  private static @Nullable RequestMemory bound() {
    return BOUND.isBound() ? BOUND.get() : null;
  }
}
