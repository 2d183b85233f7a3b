package dev.holdfast.api.ilm.action;

import dev.holdfast.api.indices.downsample.DownsampleConfig;
import dev.holdfast.api.indices.downsample.Downsampling;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Downsamples indices of policies, one at a time, while the policies of others go on. What runs is
/// lost with the process; the step that wants it begins it again.
public final class BackgroundDownsampling {
  private final Tasks tasks;
  private final Downsampling downsampling;
  private final AtomicReference<String> running = new AtomicReference<>("");

  /// By uuid; taken away by who is told.
  private final Map<String, Refusal> failures = new ConcurrentHashMap<>();

  public BackgroundDownsampling(Tasks tasks, Downsampling downsampling) {
    this.tasks = tasks;
    this.downsampling = downsampling;
  }

  /// Begins unless something runs.
  ///
  /// @return the uuid of the index that is being downsampled now
  String begin(IndexMetadata source, String target, DownsampleConfig config) {
    String uuid = source.id().uuid();
    if (running.compareAndSet("", uuid)) {
      var _ = tasks.start("lifecycle-downsample", () -> downsample(source, target, config));
      return uuid;
    }
    return running.get();
  }

  boolean isRunning(IndexMetadata source) {
    return running.get().equals(source.id().uuid());
  }

  /// Why the last attempt for an index failed, told once; null when it did not.
  @Nullable Refusal failure(IndexMetadata source) {
    return failures.remove(source.id().uuid());
  }

  private void downsample(IndexMetadata source, String target, DownsampleConfig config)
      throws InterruptedException {
    String uuid = source.id().uuid();
    try {
      var _ = downsampling.run(source, target, config, () -> false);
    } catch (Refusal e) {
      failures.put(uuid, e);
    } catch (java.io.IOException | RuntimeException e) {
      failures.put(uuid, new Refusal(ErrorType.INTERNAL, String.valueOf(e.getMessage()), e));
    } finally {
      running.set("");
    }
  }
}
