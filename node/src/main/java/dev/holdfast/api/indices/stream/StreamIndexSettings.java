package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.StreamCreation;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.StreamExpression;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.indices.template.StreamTemplate;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Settings of a data stream that indices behind it get at once; the others are those of its next
/// one only.
final class StreamIndexSettings {
  private static final Set<String> OF_ALL =
      Set.of(LifecycleSettings.NAME, LifecycleSettings.PREFER_ILM, "index.refresh_interval");
  private static final Set<String> OF_WRITTEN = Set.of(IndexSettings.REPLICAS);

  private StreamIndexSettings() {}

  /// A state whose indices have what a stream and its template now say.
  ///
  /// @param stream with its new settings
  /// @param given names of the settings that were given
  /// @throws dev.holdfast.world.Refusal for an index whose settings are blocked
  static ClusterState applied(ClusterState state, DataStream stream, Set<String> given) {
    SortedMap<String, Object> effective =
        StreamCreation.settings(stream, StreamTemplate.require(state, stream.name()));
    List<IndexMetadata> changed = new ArrayList<>();
    for (IndexMetadata index : StreamExpression.existing(state, stream, Component.DATA)) {
      SortedMap<String, Object> settings = new TreeMap<>(index.settings());
      boolean isWritten = index.id().name().equals(stream.writeIndex());
      for (String name : given) {
        if (OF_ALL.contains(name) || (isWritten && OF_WRITTEN.contains(name))) {
          put(settings, name, effective);
        }
      }
      if (!settings.equals(index.settings())) {
        IndexBlocks.requireChangeable(index);
        new LifecycleSettings(settings).requireDate(index.id().name());
        changed.add(index.withSettings(settings));
      }
    }
    return state.withChanged(changed);
  }

  private static void put(
      SortedMap<String, Object> settings, String name, SortedMap<String, Object> effective) {
    Object value = effective.get(name);
    if (value != null) {
      settings.put(name, value);
    } else if (name.equals(IndexSettings.REPLICAS)) {
      settings.put(name, IndexSettings.REPLICAS_DEFAULT);
    } else {
      settings.remove(name);
    }
  }

  /// Tells to which indices settings were applied.
  static void tell(Set<String> given, ObjectNode results) {
    var toStream = results.putArray("applied_to_data_stream_only");
    var toWritten = results.putArray("applied_to_data_stream_and_write_indices");
    var toAll = results.putArray("applied_to_data_stream_and_backing_indices");
    for (String name : given) {
      (OF_ALL.contains(name) ? toAll : OF_WRITTEN.contains(name) ? toWritten : toStream).add(name);
    }
  }
}
