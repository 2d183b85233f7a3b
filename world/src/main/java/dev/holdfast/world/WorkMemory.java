package dev.holdfast.world;

import org.jspecify.annotations.Nullable;

/// The budget that the thread's work draws from, so that what allocates far below need not be
/// handed it: merges of partial results, scripts.
///
/// Bound for a request, for a phase of a search and for the merge of its results; nothing is asked
/// where none is bound.
public final class WorkMemory {
  private static final ScopedValue<Reservation> BOUND = ScopedValue.newInstance();

  private WorkMemory() {}

  /// Runs work that the budget is for.
  public static <T, X extends Throwable> T during(
      Reservation memory, ScopedValue.CallableOp<? extends T, X> work) throws X {
    return ScopedValue.where(BOUND, memory).<T, X>call(work);
  }

  /// The budget; null where none is bound.
  public static @Nullable Reservation bound() {
    return BOUND.isBound() ? BOUND.get() : null;
  }

  /// A part of the budget, for what is let go of before the work ends; null where none is bound.
  /// Whoever takes it closes it.
  public static @Nullable Reservation part() {
    Reservation bound = bound();
    return bound == null ? null : bound.beside();
  }

  /// Notes memory before it is allocated.
  ///
  /// @throws Refusal `circuit_breaking_exception` (429) when the budget has no more
  public static void add(long bytes) {
    Reservation bound = bound();
    if (bound != null) {
      bound.add(bytes);
    }
  }
}
