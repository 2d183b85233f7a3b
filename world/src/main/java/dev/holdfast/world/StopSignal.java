package dev.holdfast.world;

import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Says to the thread that it is bound to that what it works for has ended: the client has left,
/// the task was cancelled, or its time is over. Loops [#poll] it wherever they are, so that none of
/// them need be handed it.
///
/// Bound for a phase of a search, or a request that only reads; what writes is not interrupted.
/// Belongs to one thread.
public final class StopSignal {
  /// Of the calls of [#poll], each so many-th looks.
  private static final int EVERY = 64;

  /// How long a thread that shares its processor runs before it lets others run.
  private static final long TURN_NANOS = 10_000_000;

  private static final StopSignal NONE = new StopSignal(() -> false, () -> false, () -> 0);

  private static final ScopedValue<StopSignal> BOUND = ScopedValue.newInstance();

  private final BooleanSupplier isCancelled;
  private final BooleanSupplier isTimeOver;
  private final LongSupplier nanos;
  private boolean isSharing;
  private long turnNanos;
  private int polls;
  private boolean isOverTold;
  private boolean isFullTold;

  /// @param isCancelled whether nobody wants the result any more
  /// @param isTimeOver whether what there is so far shall do
  /// @param nanos the time, for work that is cut by time
  public StopSignal(BooleanSupplier isCancelled, BooleanSupplier isTimeOver, LongSupplier nanos) {
    this.isCancelled = isCancelled;
    this.isTimeOver = isTimeOver;
    this.nanos = nanos;
  }

  /// One that no time ends.
  public static StopSignal of(BooleanSupplier isCancelled, Clock clock) {
    return new StopSignal(isCancelled, () -> false, clock::nanoTime);
  }

  /// One that ends what the bound one ends, and what else there is to end.
  ///
  /// @param isCancelled asked beside; may throw
  public static StopSignal beside(BooleanSupplier isCancelled, Clock clock) {
    StopSignal outer = bound();
    return new StopSignal(
        () -> isCancelled.getAsBoolean() || outer.isCancelled.getAsBoolean(),
        outer.isTimeOver,
        clock::nanoTime);
  }

  /// The same, for work that computes on a virtual thread: now and then it lets others run, which
  /// nobody else makes it do. So does whatever signal is bound within.
  public StopSignal sharing() {
    StopSignal sharing = new StopSignal(isCancelled, isTimeOver, nanos);
    sharing.isSharing = true;
    return sharing;
  }

  /// The same work for another thread of the request: what ends the one ends the other.
  public static <T> Callable<T> handedOn(Callable<T> work) {
    StopSignal bound = bound();
    if (bound == NONE) {
      return work;
    }
    return () -> {
      StopSignal own = new StopSignal(bound.isCancelled, bound.isTimeOver, bound.nanos);
      own.isSharing = bound.isSharing;
      return own.<T, Exception>during(work::call);
    };
  }

  /// Thrown once when the time is over; the work ends with what it has so far.
  public static final class TimeOver extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TimeOver() {
      super("time over", null, false, false);
    }
  }

  /// Runs work that the signal ends. May be called again by its thread, for the next piece of it.
  public <T, X extends Throwable> T during(ScopedValue.CallableOp<? extends T, X> work) throws X {
    isSharing |= bound().isSharing;
    if (isSharing && turnNanos == 0) {
      turnNanos = nanos.getAsLong();
    }
    return ScopedValue.where(BOUND, this).call(work);
  }

  /// Called once a round by loops that read: cheap, looks now and then.
  ///
  /// @throws Refusal `task_cancelled_exception`
  /// @throws TimeOver once, when the time is over
  public static void poll() {
    StopSignal signal = bound();
    if (signal != NONE && ++signal.polls % EVERY == 0) {
      signal.look(true);
    }
  }

  /// The same, looking at once: for loops whose rounds are dear.
  public static void look() {
    bound().look(true);
  }

  /// Called once a round by loops that build: only cancelling ends them, since what the end of the
  /// time would leave would not be whole.
  ///
  /// @throws Refusal `task_cancelled_exception`
  public static void pollForCancelling() {
    StopSignal signal = bound();
    if (signal != NONE && ++signal.polls % EVERY == 0) {
      signal.look(false);
    }
  }

  /// The same, looking at once.
  public static void lookForCancelling() {
    bound().look(false);
  }

  /// Whether there is anything that ends the work.
  static boolean isBound() {
    return bound() != NONE;
  }

  /// Whether what there is so far shall do.
  static boolean isTimeOver() {
    return bound().isTimeOver.getAsBoolean();
  }

  /// The time in nanoseconds as the work knows it; 0 where nothing is bound.
  public static long nanoTime() {
    return bound().nanos.getAsLong();
  }

  private static StopSignal bound() {
    return BOUND.isBound() ? BOUND.get() : NONE;
  }

  private void look(boolean atTime) {
    if (this == NONE) {
      return;
    }
    if (isCancelled.getAsBoolean() || Thread.currentThread().isInterrupted()) {
      throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
    }
    Reservation memory = WorkMemory.bound();
    if (memory != null && !isFullTold && memory.isEnded()) {
      isFullTold = true; // what is said of it may look again
      throw memory.ended();
    }
    if (atTime && !isOverTold && isTimeOver.getAsBoolean()) {
      isOverTold = true;
      throw new TimeOver();
    }
    if (isSharing && nanos.getAsLong() - turnNanos > TURN_NANOS) {
      letOthersRun();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // virtual threads have no other way
  private void letOthersRun() {
    Thread.yield();
    turnNanos = nanos.getAsLong();
  }
}
