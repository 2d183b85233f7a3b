package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What a step works on.
///
/// @param state of the cluster, newest known
/// @param body what the policy says of the action
/// @param policy its name
public record StepContext(
    ClusterState state,
    IndexMetadata index,
    LifecycleState lifecycle,
    ObjectNode body,
    String policy,
    StepTools tools) {

  String name() {
    return index.id().name();
  }

  /// The stream that the index is behind; null for none.
  @Nullable DataStream stream() {
    return DataStreams.owning(state, name());
  }

  /// The stream that is written to this index; null for none.
  @Nullable DataStream writingStream() {
    DataStream stream = stream();
    return stream != null && name().equals(stream.writeIndex(DataStream.Component.DATA))
        ? stream
        : null;
  }

  /// A change of this index, if it is still there.
  UnaryOperator<ClusterState> ofIndex(UnaryOperator<IndexMetadata> change) {
    return now -> {
      IndexMetadata current = now.indices().get(name());
      return current != null && current.id().equals(index.id())
          ? now.withIndex(change.apply(current))
          : now;
    };
  }

  /// A setting of this index.
  ///
  /// @param value null for its default
  UnaryOperator<ClusterState> setting(String name, @Nullable String value) {
    return ofIndex(current -> {
      if (value == null
          ? !current.settings().containsKey(name)
          : value.equals(current.settings().get(name))) {
        return current;
      }
      SortedMap<String, Object> settings = new TreeMap<>(current.settings());
      if (value == null) {
        settings.remove(name);
      } else {
        settings.put(name, value);
      }
      return current.withSettings(settings);
    });
  }
}
