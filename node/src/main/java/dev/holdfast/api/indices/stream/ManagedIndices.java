package dev.holdfast.api.indices.stream;

import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import org.jspecify.annotations.Nullable;

/// Who looks after an index: a lifecycle policy or the lifecycle of its data stream. Where both are
/// there, the policy, unless `index.lifecycle.prefer_ilm` says otherwise.
public final class ManagedIndices {
  private ManagedIndices() {}

  /// Whether a policy looks after an index.
  public static boolean byPolicy(ClusterState state, IndexMetadata index) {
    return LifecycleSettings.of(index).policy() != null
        && byPolicy(DataStreams.owning(state, index.id().name()), LifecycleSettings.of(index));
  }

  /// The same of an index that is behind a stream, or will be.
  ///
  /// @param stream null for none
  static boolean byPolicy(@Nullable DataStream stream, LifecycleSettings settings) {
    if (settings.policy() == null) {
      return false;
    }
    return stream == null || !StreamLifecycles.isEnabled(stream) || settings.prefersPolicy();
  }

  /// Whether the lifecycle of a stream looks after an index behind it.
  static boolean byStream(DataStream stream, IndexMetadata index) {
    return StreamLifecycles.isEnabled(stream) && !byPolicy(stream, LifecycleSettings.of(index));
  }

  /// As `GET /_data_stream` names them.
  static String manager(DataStream stream, LifecycleSettings settings) {
    if (byPolicy(stream, settings)) {
      return "Index Lifecycle Management";
    }
    return StreamLifecycles.isEnabled(stream) ? "Data stream lifecycle" : "Unmanaged";
  }
}
