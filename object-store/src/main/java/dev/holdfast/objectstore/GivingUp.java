package dev.holdfast.objectstore;

import java.util.function.BooleanSupplier;

/// When reads of a store that fails are given up which are otherwise tried until they succeed:
/// whoever reads for somebody who waits for an answer does not wait out an outage. One says until
/// when ([#allowed]), another which of his reads harm nothing by failing ([#harmless]): what a
/// writer of Lucene's reads would end it. Both hold for what the thread does within; other threads
/// are handed it by [#handedOn].
public final class GivingUp {
  private static final ScopedValue<BooleanSupplier> ALLOWED = ScopedValue.newInstance();
  private static final ScopedValue<BooleanSupplier> DUE = ScopedValue.newInstance();

  private GivingUp() {}

  /// Does something whose harmless reads fail with what they fail with, once that is so; none is
  /// broken off for it.
  public static <T, X extends Throwable> T allowed(
      BooleanSupplier isDue, ScopedValue.CallableOp<? extends T, X> work) throws X {
    return ScopedValue.where(ALLOWED, isDue).<T, X>call(work);
  }

  /// Reads something, and nothing is left half done when that fails.
  public static <T, X extends Throwable> T harmless(ScopedValue.CallableOp<? extends T, X> read)
      throws X {
    return ALLOWED.isBound() ? GivingUp.<T, X>once(ALLOWED.get(), read) : read.call();
  }

  private static <T, X extends Throwable> T once(
      BooleanSupplier isDue, ScopedValue.CallableOp<? extends T, X> read) throws X {
    return ScopedValue.where(DUE, isDue).<T, X>call(read);
  }

  /// Whether a request of this thread that has failed is given up.
  public static boolean isDue() {
    return DUE.isBound() && DUE.get().getAsBoolean();
  }

  /// The same read for another thread.
  public static <T, X extends Throwable> ScopedValue.CallableOp<? extends T, X> handedOn(
      ScopedValue.CallableOp<? extends T, X> read) {
    if (!DUE.isBound()) {
      return read;
    }
    BooleanSupplier isDue = DUE.get();
    return () -> GivingUp.<T, X>once(isDue, read);
  }
}
