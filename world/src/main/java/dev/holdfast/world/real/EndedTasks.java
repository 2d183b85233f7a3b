package dev.holdfast.world.real;

import java.util.concurrent.atomic.LongAdder;

/// How many virtual threads of this process have ended that were started by a world. Whoever asks
/// loads nothing else: the log is set up by who asks for a logger first, once its format is known.
public final class EndedTasks {
  private static final LongAdder COUNT = new LongAdder();

  private EndedTasks() {}

  static void add() {
    COUNT.increment();
  }

  public static long count() {
    return COUNT.sum();
  }
}
