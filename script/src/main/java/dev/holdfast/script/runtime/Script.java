package dev.holdfast.script.runtime;

import dev.holdfast.world.StopSignal;
import java.util.Map;

/// What every compiled script is. One execution at a time, by one thread.
public abstract class Script {
  /// Iterations of the loops of one method, as Elasticsearch has it.
  public static final int LOOPS_MAX = 1_000_000;

  /// Calls of functions and lambdas, and iterations of all loops, in one execution.
  static final int STEPS_MAX = 5_000_000;

  /// Of the steps, each so many-th looks whether anybody still waits. A power of two.
  private static final int LOOK_EVERY = 1024;

  private final Map<String, Object> params;
  private int steps;

  protected Script(Map<String, Object> params) {
    this.params = params;
  }

  public Map<String, Object> getParams() {
    return params;
  }

  /// Begins an execution.
  protected final void begin() {
    steps = STEPS_MAX;
    Budget.begin();
  }

  /// Counts a call.
  protected final void step() {
    if (--steps < 0) {
      tooLong();
    }
    look();
  }

  /// Counts an iteration.
  ///
  /// @param left iterations of loops of the method
  protected final void loop(int left) {
    if (left < 0 || --steps < 0) {
      tooLong();
    }
    look();
  }

  private void look() {
    if ((steps & (LOOK_EVERY - 1)) == 0) {
      StopSignal.look();
    }
  }

  private static void tooLong() {
    throw new ScriptLimitError(
        "The maximum number of statements that can be executed in a loop has been reached.");
  }

  /// What an error of this script is to whoever runs it.
  protected final RuntimeException failed(Throwable error) {
    return ((ScriptLoader) getClass().getClassLoader()).failure(error);
  }
}
