package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Indices that were made outside a data stream and come into one: hidden, and with a time in each
/// document from now on.
final class TakenIndices {
  private static final String HIDDEN = "index.hidden";

  private final MappingFactory mappings;

  TakenIndices(MappingFactory mappings) {
    this.mappings = mappings;
  }

  /// The index as it is in a stream.
  ///
  /// @throws Refusal `illegal_argument_exception` when its documents have no time
  IndexMetadata taken(IndexMetadata index) {
    Mapping mapping = mappings.of(index);
    MappedField timestamp = mapping.field(DataStream.TIMESTAMP);
    String type = timestamp == null ? "" : timestamp.type().typeName();
    if (!List.of("date", "date_nanos").contains(type)) {
      throw Refusal.badArgument(
          "data stream timestamp field ["
              + DataStream.TIMESTAMP
              + (timestamp == null
                  ? "] does not exist"
                  : "] is of type [" + type + "], but [date,date_nanos] is expected"));
    }
    ObjectNode required = Json.object();
    required.putObject("_data_stream_timestamp").put("enabled", true);
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    settings.put(HIDDEN, "true");
    return index.withMapping(mapping.merge(required).toJson()).withSettings(settings);
  }

  /// An index that leaves a stream: names match it again.
  static IndexMetadata shown(IndexMetadata index) {
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    settings.remove(HIDDEN);
    return index.withSettings(settings);
  }
}
