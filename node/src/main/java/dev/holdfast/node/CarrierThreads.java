package dev.holdfast.node;

/// How many virtual threads run at the same time. The Java machine lets as many run as there are
/// processors, each until it waits: two requests whose answers take seconds to compute (merging,
/// analysing, rendering) would keep all others of a small machine, and its timers, from running.
/// With more of them the machine's scheduler shares the processors out.
final class CarrierThreads {
  private static final String PROPERTY = "jdk.virtualThreadScheduler.parallelism";

  private static final int MIN = 8;
  private static final int BY_PROCESSOR = 4;

  private CarrierThreads() {}

  /// Called before the first virtual thread is made, which reads it; what the command line says
  /// stands.
  static void allow() {
    if (System.getProperty(PROPERTY) == null) {
      int count = of(Runtime.getRuntime().availableProcessors());
      System.setProperty(PROPERTY, Integer.toString(count));
    }
  }

  static int of(int processors) {
    return Math.max(MIN, BY_PROCESSOR * processors);
  }
}
