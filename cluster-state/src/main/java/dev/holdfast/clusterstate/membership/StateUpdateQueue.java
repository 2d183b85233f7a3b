package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.concurrent.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A node's queue of state changes: one task hands them on in order. All that wait while a version
/// is being made go into the next one together, so a burst of changes costs few PUTs and a lone
/// change waits for nothing.
final class StateUpdateQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StateUpdateQueue.class);

  /// More waiting changes than this are refused.
  private static final int QUEUE_MAX = 10_000;

  /// Between tries of what could not be handed on.
  private static final Duration RETRY_PAUSE = Duration.ofMillis(20);

  private final World world;
  private final ClusterConfig config;
  private final ObjectStore store;
  private final BlockingQueue<StateUpdate> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
  private Tasks.@Nullable Task task;

  /// @param store of the cluster's state, for the reason when it fails
  StateUpdateQueue(World world, ClusterConfig config, ObjectStore store) {
    this.world = world;
    this.config = config;
    this.store = store;
  }

  /// Takes updates to where they are decided: to the store on a leader, to the leader on others.
  interface Committer {
    /// Finishes those that it can.
    ///
    /// @return those to be tried again
    List<StateUpdate> commit(List<StateUpdate> updates) throws InterruptedException;
  }

  void start(Committer committer) {
    task = world.tasks().start("cluster-state", () -> commitForEver(committer));
  }

  ClusterState update(String reason, UnaryOperator<ClusterState> change)
      throws InterruptedException {
    Duration max = Patience.LEADER.atMost(config.updateMax());
    return await(
        new StateUpdate.Local(reason, change, deadlineNanos(max), new CompletableFuture<>()),
        reason,
        max);
  }

  /// The state that holds a follower's change.
  ///
  /// @throws StaleException when the change was made to an older state
  ClusterState propose(MemberMessages.Proposal proposal) throws InterruptedException {
    Duration max = config.proposeMax();
    return await(
        new StateUpdate.Proposed(
            proposal.member(),
            proposal.base(),
            proposal.delta(),
            deadlineNanos(max),
            new CompletableFuture<>()),
        proposal.reason(),
        max);
  }

  /// A proposal was made to another state than the newest.
  static final class StaleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StaleException() {
      super("the proposal was made to an older state", null, false, false);
    }
  }

  private long deadlineNanos(Duration max) {
    return world.clock().nanoTime() + max.toNanos();
  }

  private ClusterState await(StateUpdate update, String reason, Duration max)
      throws InterruptedException {
    if (!queue.offer(update)) {
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "too many cluster state updates are waiting [max=" + QUEUE_MAX + "]");
    }
    try {
      return get(update, max);
    } catch (TimeoutException e) {
      throw late(reason, max, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TimeoutException late) {
        throw late(reason, max, late);
      }
      if (e.getCause() instanceof Refusal refusal) {
        throw refusal;
      }
      if (e.getCause() instanceof StaleException stale) {
        throw stale;
      }
      throw new IllegalStateException(
          "cluster state update failed [reason=" + reason + "]", e.getCause());
    }
  }

  private Refusal late(String reason, Duration max, TimeoutException why) {
    return new Refusal(
        ErrorType.PROCESS_CLUSTER_EVENT_TIMEOUT,
        "failed to process cluster event ("
            + reason
            + ") within "
            + max.toMillis()
            + "ms: "
            + store
                .trouble("cluster/")
                .map(trouble -> "the object store fails, " + trouble.sentence())
                .orElse("no leader, or the object store does not answer"),
        why);
  }

  /// Who is less patient than is allowed gives up what has not begun; what has begun is awaited.
  private ClusterState get(StateUpdate update, Duration max)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return world.sleeper().get(update.done(), max);
    } catch (TimeoutException e) {
      Duration left =
          update instanceof StateUpdate.Local ? config.updateMax().minus(max) : Duration.ZERO;
      if (!left.isPositive() || queue.remove(update)) {
        throw e;
      }
      return world.sleeper().get(update.done(), left);
    }
  }

  private void commitForEver(Committer committer) throws InterruptedException {
    List<StateUpdate> batch = new ArrayList<>();
    while (true) {
      if (batch.isEmpty()) {
        batch.add(queue.take());
      }
      queue.drainTo(batch);
      int size = batch.size();
      batch = new ArrayList<>(commit(committer, withoutExpired(batch)));
      if (batch.size() == size) {
        Await.pause(world, RETRY_PAUSE);
      }
    }
  }

  /// What fails altogether ends these updates, not all that come after them.
  private static List<StateUpdate> commit(Committer committer, List<StateUpdate> batch)
      throws InterruptedException {
    try {
      return committer.commit(batch);
    } catch (RuntimeException | Error e) {
      LOG.error("cluster state updates failed [changes={}]", batch.size(), e);
      batch.forEach(update -> update.done().completeExceptionally(e));
      return List.of();
    }
  }

  private List<StateUpdate> withoutExpired(List<StateUpdate> batch) {
    long now = world.clock().nanoTime();
    for (Iterator<StateUpdate> it = batch.iterator(); it.hasNext(); ) {
      StateUpdate update = it.next();
      if (update.deadlineNanos() - now < 0) {
        it.remove();
        update.done().completeExceptionally(new TimeoutException("nobody waits any more"));
      }
    }
    return batch;
  }

  @Override
  public void close() {
    Tasks.Task running = task;
    if (running != null) {
      running.cancel();
    }
  }
}
