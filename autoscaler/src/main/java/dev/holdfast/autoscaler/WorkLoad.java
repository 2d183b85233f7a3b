package dev.holdfast.autoscaler;

/// How many threads a node's work would keep busy, weighted over time: fast when it grows, slowly
/// when it falls. Queued work counts when the node needs longer for it than is acceptable; until
/// then the load is what its threads can do at most (§7). Not thread-safe.
public final class WorkLoad {
  private static final double RISING_A_SECOND = 0.2;
  private static final double FALLING_A_SECOND = 0.05;

  /// What takes no longer to be done may wait.
  static final double ACCEPTABLE_SECONDS = 10;

  /// What waits beyond that should be done within: twice what a new node takes to be of use. Less
  /// would ask, while nodes are on their way, for many more that are of no use afterwards.
  static final double DRAIN_SECONDS = 120;

  /// Queued work counts for at most so many times the threads.
  private static final double QUEUE_MAX = NodeLoad.OVERLOAD_MAX - 1;

  private double busy;
  private double backlogSeconds;
  private double threads;

  /// @param busyThreads now, or on average since the sample before
  /// @param queuedSeconds of a thread's work that waits
  /// @param threadsMax that the node has
  /// @param elapsedSeconds since the sample before
  public void sample(
      double busyThreads, double queuedSeconds, double threadsMax, double elapsedSeconds) {
    if (Double.isNaN(busyThreads + queuedSeconds + threadsMax + elapsedSeconds)) {
      return;
    }
    threads = threadsMax;
    double part = busyThreads > busy ? RISING_A_SECOND : FALLING_A_SECOND;
    double share = 1 - Math.pow(1 - part, Math.max(0, elapsedSeconds));
    busy += share * (Math.clamp(busyThreads, 0, threadsMax) - busy);
    backlogSeconds = threadsMax > 0 ? Math.max(0, queuedSeconds) / threadsMax : 0;
  }

  /// At most [NodeLoad#OVERLOAD_MAX] times the threads.
  public double load() {
    double running = Math.min(busy, threads);
    if (backlogSeconds <= ACCEPTABLE_SECONDS) {
      return running;
    }
    double queued = (backlogSeconds - ACCEPTABLE_SECONDS) * threads / DRAIN_SECONDS;
    return running + Math.min(QUEUE_MAX * threads, queued);
  }
}
