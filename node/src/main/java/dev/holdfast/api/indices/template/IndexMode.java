package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.field.SeriesParameters;
import dev.holdfast.document.mapping.LookupType;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
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

  /// Refuses what a mapping that was changed may not be in the mode of its index: without sources,
  /// or with times that need not be.
  ///
  /// @throws dev.holdfast.world.Refusal `mapper_parsing_exception`, `illegal_argument_exception`
  public static void requireStillOfMode(IndexMetadata before, IndexMetadata after) {
    String enabled = "/_source/enabled";
    boolean hadSource = before.mapping().at(enabled).asBoolean(true);
    boolean needsSource = TimeSeries.is(after.settings()) || LogsMode.is(after.settings());
    if (needsSource && hadSource && !after.mapping().at(enabled).asBoolean(true)) {
      String why =
          "_source can not be disabled in index using ["
              + after.settings().get(TimeSeries.MODE)
              + "] index mode";
      throw new Refusal(
          ErrorType.MAPPER_PARSING, "Failed to parse mapping: " + why, Refusal.badArgument(why));
    }
    String time = "/properties/" + DataStream.TIMESTAMP;
    if (!before.mapping().at(time).equals(after.mapping().at(time))) {
      StreamTemplateRules.requireTimestampOf(after.mapping());
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
