package dev.holdfast.world;

import java.time.Duration;

/// Threads. Blocking waits (object store, network, timers) run on virtual threads; work that burns
/// a core (parsing, indexing, searching, merging) runs in a [WorkPool] of platform threads, bounded
/// in threads and in queue, so that a burst is refused rather than hoarded.
public interface Tasks extends AutoCloseable {
  /// Starts `work` on a virtual thread of that name. A throwable that escapes it is logged with the
  /// name.
  Task start(String name, Work work);

  /// The same, for a caller that has noted that it runs, or holds something for it: where no thread
  /// can be started (the process ends, or has no memory for one), that is undone before the failure
  /// is thrown.
  default Task start(String name, Work work, Runnable undo) {
    boolean isStarted = false;
    try {
      Task task = start(name, work);
      isStarted = true;
      return task;
    } finally {
      if (!isStarted) {
        undo.run();
      }
    }
  }

  /// Runs `work` again and again, `pause` after the end of the run before, until the task is
  /// cancelled, whatever a run throws.
  Task repeat(String name, Duration pause, Work work);

  /// A bounded pool of platform threads.
  ///
  /// @param threads how many run at once
  /// @param queueMax how many may wait; one more is refused
  WorkPool pool(String name, int threads, int queueMax);

  /// The same for work of very different length: what has run for long no longer keeps others from
  /// a thread, up to many threads more, which the machine shares out; and long lists of work take
  /// turns with others. Not a default: whoever passes calls on would silently lose the difference.
  ///
  /// @param longAfter what has run for longer
  WorkPool fairPool(String name, int threads, int queueMax, Duration longAfter);

  /// Cancels all that runs and waits a little for it to end.
  @Override
  void close();

  /// Something to do that may block and may fail.
  interface Work {
    void run() throws Exception;
  }

  /// A started task.
  interface Task {
    /// Interrupts the task; it may still run for a moment.
    void cancel();

    /// Waits until the task has ended.
    void join() throws InterruptedException;
  }
}
