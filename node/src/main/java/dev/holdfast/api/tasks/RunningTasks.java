package dev.holdfast.api.tasks;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.World;
import dev.holdfast.world.metric.Histogram;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// All that runs on this node for clients now. As many as there are requests and background jobs.
public final class RunningTasks {
  private final World world;
  private final NodeIdentity node;
  private final ConcurrentMap<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Histogram> seconds = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentSkipListMap<Long, RunningTask> running = new ConcurrentSkipListMap<>();

  private final TierUse use;

  /// @param use hears what the tasks need of the tiers
  public RunningTasks(World world, NodeIdentity node, TierUse use) {
    this.world = world;
    this.node = node;
    this.use = use;
    use.ask(tier -> running.values().stream().anyMatch(task -> use.isAwaitedBy(task, tier)));
  }

  /// @param action Elasticsearch's name of what is done
  /// @param description for people
  /// @param opaqueId what the client calls it; null for nothing
  public RunningTask begin(
      String action, String description, @Nullable String opaqueId, boolean isCancellable) {
    TaskId id = new TaskId(node.id(), numbers.incrementAndGet());
    RunningTask task = new RunningTask(id, action, description, opaqueId, isCancellable, world);
    running.put(id.number(), task);
    use.seen(action);
    counts.computeIfAbsent(action, a -> new LongAdder()).increment();
    use.begun();
    return task;
  }

  /// @param hears of each that begins, those of projects within this node's, on its thread
  public void onBegin(Runnable hears) {
    use.onBegin(hears);
  }

  /// How long what ended took, by action, in seconds.
  public SortedMap<String, Histogram.Snapshot> seconds() {
    SortedMap<String, Histogram.Snapshot> all = new TreeMap<>();
    seconds.forEach((action, histogram) -> all.put(action, histogram.snapshot()));
    return all;
  }

  /// How often each action began, since this node started. Actions are as many as there are APIs.
  public SortedMap<String, Long> counts() {
    SortedMap<String, Long> all = new TreeMap<>();
    counts.forEach((action, count) -> all.put(action, count.sum()));
    return all;
  }

  public void end(RunningTask task) {
    if (running.remove(task.id().number(), task)) {
      seconds
          .computeIfAbsent(task.action(), _ -> Histogram.ofSeconds())
          .recordNanos(task.runningNanos());
    }
    task.end();
    use.seen(task.action());
  }

  /// For how long no request has needed the tier.
  public Duration idle(Role tier) {
    return use.idle(tier);
  }

  /// Whether a request that runs cannot be answered without the tier.
  public boolean isAwaited(Role tier) {
    return use.isAwaited(tier);
  }

  List<RunningTask> all() {
    return List.copyOf(running.values());
  }

  @Nullable RunningTask find(TaskId id) {
    return id.node().equals(node.id()) ? running.get(id.number()) : null;
  }

  /// Whether tasks of that name run here.
  boolean isHere(TaskId id) {
    return id.node().equals(node.id());
  }
}
