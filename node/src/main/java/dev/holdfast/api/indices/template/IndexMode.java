package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.field.SeriesParameters;
import dev.holdfast.document.mapping.LookupType;
import java.util.SortedMap;

/// What the mode of a new index (`index.mode`) makes of it.
public final class IndexMode {
  private IndexMode() {}

  /// @throws dev.holdfast.world.Refusal when members of the cluster do not know the mode of an
  ///   index, a kind of its fields, or how it is split
  public static void requireKnown(ClusterState state, IndexMetadata index) {
    SortedMap<String, Object> settings = index.settings();
    if (TimeSeries.is(settings) || LogsMode.is(settings)) {
      String what = "indices of [index.mode=" + settings.get(TimeSeries.MODE) + "]";
      Formats.requireEnabled(state, Formats.INDEX_MODES, what);
      if (TimeSeries.isCompact(settings)) {
        Formats.requireEnabled(state, Formats.COMPACT_MODES, "compact " + what);
      }
    }
    IndexSplit split = index.split();
    if (split != null && split.isUnderWay(index.shards())) {
      Formats.requireEnabled(state, Formats.ONLINE_SPLIT, "indices that are being split");
    }
    for (JsonNode field : index.mapping().path("runtime")) {
      if (field.path("type").asText().equals(LookupType.NAME)) {
        Formats.requireEnabled(state, Formats.INDEX_MODES, "lookup fields");
      }
    }
    if (saysDimensions(index.mapping())) {
      Formats.requireEnabled(state, Formats.INDEX_MODES, "dimensions of passthrough objects");
    }
  }

  /// Whether a `passthrough` object says whether its fields are dimensions.
  private static boolean saysDimensions(JsonNode object) {
    if (object.path("type").asText().equals("passthrough")
        && object.has(SeriesParameters.DIMENSION)) {
      return true;
    }
    for (JsonNode member : object.path("properties")) {
      if (saysDimensions(member)) {
        return true;
      }
    }
    return false;
  }

  /// @param settings changed
  /// @return the mapping that the index gets
  /// @throws dev.holdfast.world.Refusal for what an index of that mode cannot be
  public static ObjectNode prepared(
      MappingFactory mappings, ObjectNode mapping, SortedMap<String, Object> settings) {
    if (TimeSeries.is(settings)) {
      return SeriesMode.prepared(mappings, mapping, settings);
    }
    SeriesMode.check(settings);
    return LogsMode.is(settings) ? LogsMode.prepared(mappings, mapping, settings) : mapping;
  }
}
