package dev.holdfast.api.indices.downsample;

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
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Downsamples indices of lifecycles, one at a time, while the lifecycles of others go on. What
/// runs is lost with the process; the step that wants it begins it again.
public final class BackgroundDownsampling {
  private final Tasks tasks;
  private final Supplier<ClusterState> state;
  private final Work work;
  private final AtomicReference<String> running = new AtomicReference<>("");

  /// By uuid; taken away by who is told, or when the index is gone.
  private final Map<String, Refusal> failures = new ConcurrentHashMap<>();

  /// As [Downsampling#run].
  @FunctionalInterface
  public interface Work {
    IndexMetadata run(
        IndexMetadata source, String target, DownsampleConfig config, BooleanSupplier isCancelled)
        throws IOException, InterruptedException;
  }

  /// @param state which indices there are: what failed for others is forgotten
  public BackgroundDownsampling(Tasks tasks, Supplier<ClusterState> state, Work work) {
    this.tasks = tasks;
    this.state = state;
    this.work = work;
  }

  /// Begins unless something runs.
  ///
  /// @return the uuid of the index that is being downsampled now
  public String begin(IndexMetadata source, String target, DownsampleConfig config) {
    String uuid = source.id().uuid();
    if (running.compareAndSet("", uuid)) {
      var _ =
          tasks.start(
              "lifecycle-downsample",
              () -> downsample(source, target, config),
              () -> running.set(""));
      return uuid;
    }
    return running.get();
  }

  public boolean isRunning(IndexMetadata source) {
    return running.get().equals(source.id().uuid());
  }

  /// Why the last attempt for an index failed, told once; null when it did not.
  public @Nullable Refusal failure(IndexMetadata source) {
    return failures.remove(source.id().uuid());
  }

  private void downsample(IndexMetadata source, String target, DownsampleConfig config)
      throws InterruptedException {
    String uuid = source.id().uuid();
    try {
      var _ = work.run(source, target, config, () -> false);
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

  /// Indices whose failure nobody has asked for yet.
  int untold() {
    return failures.size();
  }
}
