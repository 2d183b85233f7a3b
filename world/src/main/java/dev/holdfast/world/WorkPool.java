package dev.holdfast.world;

import java.util.List;
import java.util.concurrent.Callable;

/// A bounded pool of platform threads with a bounded queue.
public interface WorkPool extends AutoCloseable {
  /// Runs `work` in the pool and waits for it.
  ///
  /// @throws Refusal `es_rejected_execution_exception` (429) when the queue is full; nothing ran
  ///   then
  <T> T call(Callable<T> work) throws Exception;

  /// Runs all in the pool and waits for all; results in order. The first failure is thrown after
  /// all have ended.
  ///
  /// @throws Refusal when the queue cannot take all of them; nothing ran then
  <T> List<T> callAll(List<? extends Callable<T>> work) throws Exception;

  /// The same for work that is known to be large before it runs: in a fair pool small work goes
  /// first, and always finds a thread that no large work runs on. Not a default: whoever passes
  /// calls on would silently lose the difference.
  <T> List<T> callAllLarge(List<? extends Callable<T>> work) throws Exception;

  /// Threads that work now.
  int active();

  /// Work that waits now.
  int queued();

  /// Work refused since start.
  long rejected();

  /// Work completed since start.
  long completed();

  String name();

  /// Threads that it has when no work runs for long.
  int threads();

  /// Threads that it may have now: more than [#threads] in a fair pool while work runs for long.
  int size();

  /// The most threads that it has had at once.
  int largest();

  int queueMax();

  @Override
  void close();
}
