package dev.holdfast.clusterstate;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The leader's queue of state changes: one task applies them in order. All that wait while a
/// version is being written go into the next one together, so a burst of changes costs few PUTs and
/// a lone change waits for nothing.
final class StateUpdates implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StateUpdates.class);

  /// More waiting changes than this are refused.
  private static final int QUEUE_MAX = 10_000;

  /// How long a caller waits for its change; it may still happen after.
  private static final long WAIT_SECONDS_MAX = 60;

  private record Pending(
      String reason, UnaryOperator<ClusterState> change, CompletableFuture<ClusterState> done) {}

  private final World world;
  private final StateLog log;
  private final BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
  private final List<Metadata.Listener> listeners = new CopyOnWriteArrayList<>();
  private final Object applying = new Object();
  private volatile ClusterState current;
  private Tasks.@Nullable Task task;

  StateUpdates(World world, StateLog log, ClusterState first) {
    this.world = world;
    this.log = log;
    this.current = first;
  }

  /// @param onFenced called when another leader has taken over
  void start(Consumer<String> onFenced) {
    task = world.tasks().start("cluster-state", () -> applyForEver(onFenced));
  }

  ClusterState current() {
    return current;
  }

  void listen(Metadata.Listener listener) {
    synchronized (applying) {
      listener.changed(current, current);
      listeners.add(listener);
    }
  }

  ClusterState update(String reason, UnaryOperator<ClusterState> change)
      throws InterruptedException {
    Pending pending = new Pending(reason, change, new CompletableFuture<>());
    if (!queue.offer(pending)) {
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "too many cluster state updates are waiting [max=" + QUEUE_MAX + "]");
    }
    try {
      return pending.done().get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new Refusal(
          ErrorType.PROCESS_CLUSTER_EVENT_TIMEOUT,
          "failed to process cluster event ("
              + reason
              + ") within "
              + WAIT_SECONDS_MAX
              + "s: the object store does not answer",
          e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Refusal refusal
          ? refusal
          : new IllegalStateException(
              "cluster state update failed [reason=" + reason + "]", e.getCause());
    }
  }

  private void applyForEver(Consumer<String> onFenced) throws InterruptedException {
    while (true) {
      List<Pending> batch = new ArrayList<>();
      batch.add(queue.take());
      queue.drainTo(batch);
      try {
        apply(batch);
      } catch (StateLog.FencedException e) {
        batch.forEach(pending -> pending.done().completeExceptionally(e));
        onFenced.accept(String.valueOf(e.getMessage()));
        return;
      } catch (IOException | RuntimeException e) {
        LOG.error("cluster state update failed [changes={}]", batch.size(), e);
        batch.forEach(pending -> pending.done().completeExceptionally(e));
      }
    }
  }

  private void apply(List<Pending> batch) throws IOException {
    ClusterState before = current;
    ClusterState changed = before;
    List<Pending> applied = new ArrayList<>();
    for (Pending pending : batch) {
      try {
        changed = pending.change().apply(changed);
        applied.add(pending);
      } catch (RuntimeException e) {
        pending.done().completeExceptionally(e);
      }
    }
    if (!changed.equals(before)) {
      ClusterState now =
          new ClusterState(
              before.term(),
              before.version() + 1,
              before.clusterUuid(),
              changed.settings(),
              changed.indices(),
              changed.customs());
      log.append(before, now);
      publish(before, now);
    }
    applied.forEach(pending -> pending.done().complete(current));
  }

  private void publish(ClusterState before, ClusterState now) {
    synchronized (applying) {
      current = now;
      for (Metadata.Listener listener : listeners) {
        try {
          listener.changed(before, now);
        } catch (RuntimeException e) {
          LOG.error("a listener failed on a new cluster state [version={}]", now.version(), e);
        }
      }
    }
  }

  @Override
  public void close() {
    Tasks.Task running = task;
    if (running != null) {
      running.cancel();
    }
  }
}
