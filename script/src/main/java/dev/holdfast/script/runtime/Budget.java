package dev.holdfast.script.runtime;

import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import org.jspecify.annotations.Nullable;

/// What a script may allocate, and what methods may go through for it, in one execution. Kept by
/// thread: methods that scripts call have no other way to know which script calls them.
///
/// What is above [#FREE_BYTES] is drawn from the budget that the thread works for ([WorkMemory]),
/// so that scripts side by side cannot have more than there is. What one execution had is there for
/// the next of the same request: the most that one had is what is held.
public final class Budget {
  /// What an execution may take without asking.
  static final long FREE_BYTES = 256 << 10;

  /// What is drawn at a time.
  private static final long STEP_BYTES = 1 << 20;

  /// Of what is counted: texts, arrays, and what is copied from list to list.
  static final long BYTES_MAX =
      Math.min(256L << 20, Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 8));

  /// Elements and characters that methods of the JDK may visit for an execution: as if each of its
  /// steps visited some twenty-five. Half a second or so.
  static final long VISITS_MAX = 1L << 27;

  /// Of the visits, each so many-th looks whether anybody still waits. A power of two.
  private static final long LOOK_EVERY = 1 << 20;

  private static final ThreadLocal<Budget> CURRENT = ThreadLocal.withInitial(Budget::new);

  /// What an execution has had.
  ///
  /// @param bytes allocated
  /// @param visits of elements and characters
  public record Spent(long bytes, long visits) {}

  private long bytes;
  private long visits;

  /// What was drawn for executions of this thread, and from where.
  private @Nullable Reservation source;

  private long drawn;

  private Budget() {}

  static void begin() {
    Budget budget = CURRENT.get();
    budget.bytes = 0;
    budget.visits = 0;
  }

  /// That of this thread.
  public static Budget current() {
    return CURRENT.get();
  }

  /// What the execution has had by now, which counts no more: who runs a script inside of another
  /// takes this before, and gives it back after, lest the outer one begins anew.
  public Spent setAside() {
    Spent had = new Spent(bytes, visits);
    bytes = 0;
    visits = 0;
    return had;
  }

  /// Goes on with an outer execution.
  ///
  /// @param before what [#setAside] said before the inner one
  public void resume(Spent before) {
    bytes += before.bytes;
    visits += before.visits;
  }

  /// Counts what a method of the JDK is about to go through without a step of the script.
  ///
  /// @throws ScriptLimitError when the execution has had its share
  public static void visit(long more) {
    Budget budget = CURRENT.get();
    long before = budget.visits;
    budget.visits += more;
    if (more < 0 || budget.visits > VISITS_MAX) {
      throw new ScriptLimitError(
          "The maximum number of elements ["
              + VISITS_MAX
              + "] that a script can go through has been reached.");
    }
    if ((before & -LOOK_EVERY) != (budget.visits & -LOOK_EVERY)) {
      StopSignal.look();
    }
  }

  /// @throws ScriptLimitError when the execution has had its share
  public static void charge(long more) {
    Budget budget = CURRENT.get();
    budget.bytes += more;
    if (more < 0 || budget.bytes > BYTES_MAX) {
      throw new ScriptLimitError(
          "The maximum number of bytes ["
              + BYTES_MAX
              + "] that a script can allocate has been reached.");
    }
    if (budget.bytes > FREE_BYTES) {
      budget.draw();
    }
  }

  /// @throws Refusal `circuit_breaking_exception` (429) when there is no more
  private void draw() {
    Reservation bound = WorkMemory.bound();
    if (bound != source) {
      source = bound;
      drawn = 0;
    }
    long missing = bytes - FREE_BYTES - drawn;
    if (bound != null && missing > 0) {
      long step = Math.max(missing, STEP_BYTES);
      bound.add(step);
      drawn += step;
    }
  }
}
