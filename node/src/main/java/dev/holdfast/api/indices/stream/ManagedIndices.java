package dev.holdfast.api.indices.stream;

import dev.holdfast.api.indices.lifecycle.StreamLifecycles;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import org.jspecify.annotations.Nullable;

/// Who looks after an index: a lifecycle policy or the lifecycle of its data stream. Where both are
/// there, the policy, unless `index.lifecycle.prefer_ilm` says otherwise.
public final class ManagedIndices {
  private ManagedIndices() {}

  /// Whether a policy looks after an index.
  public static boolean byPolicy(ClusterState state, IndexMetadata index) {
    if (LifecycleSettings.of(index).policy() == null) {
      return false;
    }
    String name = index.id().name();
    DataStream stream = DataStreams.owning(state, name);
    Component component = stream == null ? Component.DATA : component(stream, name);
    return byPolicy(state, stream, component, LifecycleSettings.of(index));
  }

  /// The same of an index that is behind a stream, or will be.
  ///
  /// @param stream null for none
  private static boolean byPolicy(
      ClusterState state,
      @Nullable DataStream stream,
      Component component,
      LifecycleSettings settings) {
    if (settings.policy() == null) {
      return false;
    }
    return stream == null
        || !StreamLifecycles.isManaged(state, stream, component)
        || settings.prefersPolicy();
  }

  /// Whether the lifecycle of a stream, or of its failure store, looks after an index behind it.
  public static boolean byStream(ClusterState state, DataStream stream, IndexMetadata index) {
    Component component = component(stream, index.id().name());
    return StreamLifecycles.isManaged(state, stream, component)
        && !byPolicy(state, stream, component, LifecycleSettings.of(index));
  }

  /// Which part of a stream an index behind it belongs to.
  public static Component component(DataStream stream, String index) {
    return stream.indices(Component.FAILURES).contains(index) ? Component.FAILURES : Component.DATA;
  }

  /// As `GET /_data_stream` names them.
  static String manager(
      ClusterState state, DataStream stream, Component component, LifecycleSettings settings) {
    if (byPolicy(state, stream, component, settings)) {
      return "Index Lifecycle Management";
    }
    return StreamLifecycles.isManaged(state, stream, component)
        ? "Data stream lifecycle"
        : "Unmanaged";
  }
}
