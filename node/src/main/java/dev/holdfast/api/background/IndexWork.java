package dev.holdfast.api.background;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Works on one index at a time, while the lifecycles of others go on. What runs is lost with the
/// process; the step that wants it begins it again.
public final class IndexWork {
  private final Tasks tasks;
  private final String name;
  private final Supplier<ClusterState> state;
  private final AtomicReference<String> running = new AtomicReference<>("");

  /// By uuid; taken away by who is told, or when the index is gone.
  private final Map<String, Refusal> failures = new ConcurrentHashMap<>();

  /// What is done to an index.
  @FunctionalInterface
  public interface Step {
    void run() throws IOException, InterruptedException;
  }

  /// @param name of the task
  /// @param state which indices there are: what failed for others is forgotten
  public IndexWork(Tasks tasks, String name, Supplier<ClusterState> state) {
    this.tasks = tasks;
    this.name = name;
    this.state = state;
  }

  /// Begins unless something runs.
  ///
  /// @return the uuid of the index that is worked on now
  public String begin(IndexMetadata index, Step step) {
    String uuid = index.id().uuid();
    if (running.compareAndSet("", uuid)) {
      var _ = tasks.start(name, () -> run(uuid, step), () -> running.set(""));
      return uuid;
    }
    return running.get();
  }

  public boolean isRunning(IndexMetadata index) {
    return running.get().equals(index.id().uuid());
  }

  /// Why the last attempt for an index failed, told once; null when it did not.
  public @Nullable Refusal failure(IndexMetadata index) {
    return failures.remove(index.id().uuid());
  }

  /// Indices whose failure nobody has asked for yet.
  public int untold() {
    return failures.size();
  }

  private void run(String uuid, Step step) throws InterruptedException {
    try {
      step.run();
    } catch (Refusal e) {
      failures.put(uuid, e);
    } catch (IOException | RuntimeException e) {
      failures.put(uuid, new Refusal(ErrorType.INTERNAL, String.valueOf(e.getMessage()), e));
    } finally {
      forgetDeleted();
      running.set("");
    }
  }

  private void forgetDeleted() {
    if (!failures.isEmpty()) {
      Set<String> there =
          state.get().indices().values().stream()
              .map(index -> index.id().uuid())
              .collect(Collectors.toSet());
      failures.keySet().retainAll(there);
    }
  }
}
