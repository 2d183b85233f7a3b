package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.SortedMap;

/// Indices of time series (`index.mode: time_series`): documents are routed and named by their
/// dimensions and times, sorted by series and time, newest first, and their sources are made of
/// columns. What the mode means is written into the settings of an index when it is made, so that
/// the index stays what it was under later builds.
public final class SeriesMode {
  private static final String SOURCE = "index.mapping.source.mode";
  private static final String TIME = "@timestamp";
  private static final List<String> EXCLUDED =
      List.of(
          "index.routing_partition_size",
          "index.sort.field",
          "index.sort.order",
          "index.sort.mode",
          "index.sort.missing");

  private SeriesMode() {}

  /// Checks settings of any mode that only mean something in this one.
  ///
  /// @throws Refusal `illegal_argument_exception`
  public static void check(SortedMap<String, Object> settings) {
    if (!TimeSeries.is(settings)) {
      if (!TimeSeries.paths(settings).isEmpty()) {
        throw Refusal.badArgument(
            "[" + TimeSeries.PATH + "] requires [" + TimeSeries.MODE + "=time_series]");
      }
      return;
    }
    if (TimeSeries.paths(settings).isEmpty()) {
      throw Refusal.badArgument(
          "[" + TimeSeries.MODE + "=time_series] requires a non-empty [" + TimeSeries.PATH + "]");
    }
    for (String name : EXCLUDED) {
      Object value = settings.get(name);
      boolean isDefault = name.equals(EXCLUDED.getFirst()) && "1".equals(String.valueOf(value));
      if (value != null && !isDefault) {
        throw Refusal.badArgument(
            "[" + TimeSeries.MODE + "=time_series] is incompatible with [" + name + "]");
      }
    }
    TimeSeries bounds = TimeSeries.of(settings);
    if (bounds.endMillis() < bounds.startMillis()) {
      throw Refusal.badArgument(TimeSeries.END + " must be larger than " + TimeSeries.START);
    }
  }

  /// What the mode makes of the settings and the mapping of a new index.
  ///
  /// @param settings changed
  /// @return the mapping with the time
  /// @throws Refusal for what an index of time series cannot be
  public static ObjectNode prepared(
      MappingFactory mappings, ObjectNode given, SortedMap<String, Object> settings) {
    check(settings);
    if ("disabled".equalsIgnoreCase(String.valueOf(settings.get(SOURCE)))) {
      throw noSource();
    }
    settings.putIfAbsent(SOURCE, "synthetic");
    Mapping mapping = mappings.create(given, settings);
    JsonNode shown = mapping.toJson();
    if (!shown.path("_source").path("enabled").asBoolean(true)) {
      throw noSource();
    }
    if (mapping.isRoutingRequired()) {
      throw Refusal.badArgument(
          "routing is forbidden on CRUD operations that target indices in"
              + " [index.mode=time_series]");
    }
    if (!given.path("_data_stream_timestamp").path("enabled").asBoolean(true)) {
      throw Refusal.badArgument("[_data_stream_timestamp] meta field has been disabled");
    }
    ObjectNode more = Json.object();
    more.putObject("_data_stream_timestamp").put("enabled", true);
    if (mapping.field(TIME) == null) {
      ObjectNode time = more.putObject("properties").putObject(TIME).put("type", "date");
      if ("true".equals(String.valueOf(settings.get("index.mapping.ignore_malformed")))) {
        time.put("ignore_malformed", false);
      }
    }
    return mapping.merge(more).toJson();
  }

  private static Refusal noSource() {
    String why = "_source can not be disabled in index using [time_series] index mode";
    return new Refusal(
        ErrorType.MAPPER_PARSING, "Failed to parse mapping: " + why, Refusal.badArgument(why));
  }
}
