package dev.holdfast.api.indices.resolve;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Refusal;

/// Indices behind data streams, where they go.
public final class BackingIndices {
  private BackingIndices() {}

  /// @throws Refusal `illegal_argument_exception` when a data stream writes to it, or its failure
  ///   store does and has others
  public static void requireDeletable(ClusterState state, IndexMetadata index) {
    DataStream stream = DataStreams.owning(state, index.id().name());
    if (stream != null && index.id().name().equals(stream.writeIndex(Component.DATA))) {
      throw Refusal.badArgument(
          "index ["
              + index.id().name()
              + "] is the write index for data stream ["
              + stream.name()
              + "] and cannot be deleted");
    }
    // Without the only one the failure store begins anew; without the last of several the one
    // before it, which may be old, would be written to again.
    if (stream != null
        && index.id().name().equals(stream.writeIndex(Component.FAILURES))
        && stream.indices(Component.FAILURES).size() > 1) {
      throw Refusal.badArgument(
          "index ["
              + index.id().name()
              + "] is the write index for the failure store of data stream ["
              + stream.name()
              + "] and cannot be deleted");
    }
  }

  /// A state without an index, and without it in its data stream.
  ///
  /// @throws Refusal as [#requireDeletable]
  public static ClusterState without(ClusterState state, IndexMetadata index) {
    requireDeletable(state, index);
    String name = index.id().name();
    DataStream stream = DataStreams.owning(state, name);
    ClusterState left = state.withoutIndex(name);
    return stream == null ? left : DataStreams.with(left, stream.without(name));
  }

  /// A state without a data stream and all indices behind it.
  public static ClusterState withoutStream(ClusterState state, DataStream stream) {
    ClusterState left = DataStreams.without(state, stream.name());
    for (Component component : Component.values()) {
      for (String index : stream.indices(component)) {
        left = left.withoutIndex(index);
      }
    }
    return left;
  }
}
