package dev.holdfast.api.indices.downsample;

import dev.holdfast.api.background.IndexWork;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Downsamples indices of lifecycles, as [IndexWork] says.
public final class BackgroundDownsampling {
  private final IndexWork running;
  private final Work work;

  /// As [Downsampling#run].
  @FunctionalInterface
  public interface Work {
    IndexMetadata run(
        IndexMetadata source, String target, DownsampleConfig config, BooleanSupplier isCancelled)
        throws IOException, InterruptedException;
  }

  /// @param state which indices there are: what failed for others is forgotten
  public BackgroundDownsampling(Tasks tasks, Supplier<ClusterState> state, Work work) {
    this.running = new IndexWork(tasks, "lifecycle-downsample", state);
    this.work = work;
  }

  /// Begins unless something runs.
  ///
  /// @return the uuid of the index that is being downsampled now
  public String begin(IndexMetadata source, String target, DownsampleConfig config) {
    return running.begin(
        source,
        () -> {
          var _ = work.run(source, target, config, () -> false);
        });
  }

  public boolean isRunning(IndexMetadata source) {
    return running.isRunning(source);
  }

  /// Why the last attempt for an index failed, told once; null when it did not.
  public @Nullable Refusal failure(IndexMetadata source) {
    return running.failure(source);
  }

  /// Indices whose failure nobody has asked for yet.
  int untold() {
    return running.untold();
  }
}
