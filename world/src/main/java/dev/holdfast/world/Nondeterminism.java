package dev.holdfast.world;

/// Watches whether what is computed depends on the moment or on chance, so that it must not be kept
/// for who asks next. Seen is what the thread does that runs the work.
public final class Nondeterminism {
  private static final ScopedValue<Nondeterminism> WATCHING = ScopedValue.newInstance();

  private boolean isNoted;

  /// Runs work that is watched.
  public <T, X extends Throwable> T watch(ScopedValue.CallableOp<? extends T, X> work) throws X {
    return ScopedValue.where(WATCHING, this).call(work);
  }

  /// Whether the work said that its result is of this moment only.
  public boolean isNoted() {
    return isNoted;
  }

  /// Says so of the work that runs now, if anybody watches.
  public static void note() {
    if (WATCHING.isBound()) {
      WATCHING.get().isNoted = true;
    }
  }
}
