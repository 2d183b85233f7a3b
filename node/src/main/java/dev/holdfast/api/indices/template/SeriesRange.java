package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.http.TimeValue;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The backing indices of a data stream of time series: each holds the times from where the one
/// before ends, and routes by what the template's mapping has as dimensions.
public final class SeriesRange {
  public static final String AHEAD = "index.look_ahead_time";
  public static final String BACK = "index.look_back_time";

  private static final Duration AHEAD_BY_DEFAULT = Duration.ofMinutes(30);
  private static final Duration BACK_BY_DEFAULT = Duration.ofHours(2);

  private SeriesRange() {}

  /// Gives the settings of a stream's next index what they do not say.
  ///
  /// @param settings changed, when they are of that mode
  /// @param before the newest index of the stream; null for none
  public static void put(
      MappingFactory mappings,
      ObjectNode mapping,
      SortedMap<String, Object> settings,
      @Nullable IndexMetadata before,
      long nowMillis) {
    if (!TimeSeries.is(settings)) {
      return;
    }
    putPath(mappings, mapping, settings);
    if (settings.containsKey(TimeSeries.START) || settings.containsKey(TimeSeries.END)) {
      return;
    }
    Duration ahead = duration(settings, AHEAD, AHEAD_BY_DEFAULT);
    long start =
        before != null && TimeSeries.is(before.settings())
            ? TimeSeries.of(before.settings()).endMillis()
            : seconds(nowMillis - duration(settings, BACK, BACK_BY_DEFAULT).toMillis());
    long end = seconds(nowMillis + ahead.toMillis());
    settings.put(TimeSeries.START, text(start));
    settings.put(TimeSeries.END, text(end > start ? end : start + ahead.toMillis()));
  }

  /// Gives the settings of a template the path that its indices will have.
  static void putPath(
      MappingFactory mappings, ObjectNode mapping, SortedMap<String, Object> settings) {
    if (!TimeSeries.is(settings) || !TimeSeries.paths(settings).isEmpty()) {
      return;
    }
    TreeSet<String> paths = new TreeSet<>();
    for (MappedField field : mappings.create(mapping, settings).fields()) {
      if (field.type().isDimension()) {
        paths.add(field.path());
      }
      field.type().dimensionKeys().forEach(key -> paths.add(field.path() + "." + key));
    }
    for (JsonNode named : mapping.path("dynamic_templates")) {
      for (JsonNode template : named) {
        if (template.path("mapping").path("time_series_dimension").asBoolean(false)) {
          JsonNode match = template.path("path_match");
          for (JsonNode each : match.isArray() ? match : List.of(match)) {
            paths.add(each.asText());
          }
        }
      }
    }
    paths.remove("");
    if (!paths.isEmpty()) {
      settings.put(TimeSeries.PATH, new ArrayList<>(paths));
    }
  }

  /// When the index that is written to should end, looked at every so often.
  ///
  /// @return null when it ends late enough
  public static @Nullable String later(
      SortedMap<String, Object> settings, Duration until, long nowMillis) {
    Duration ahead = duration(settings, AHEAD, AHEAD_BY_DEFAULT);
    long end = seconds(nowMillis + ahead.plus(until).toMillis());
    return end > TimeSeries.of(settings).endMillis() ? text(end) : null;
  }

  private static Duration duration(
      SortedMap<String, Object> settings, String name, Duration whenAbsent) {
    Object given = settings.get(name);
    return given == null ? whenAbsent : TimeValue.parse(name, given.toString());
  }

  private static long seconds(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toEpochMilli();
  }

  private static String text(long millis) {
    return DateFormat.DEFAULT.format(millis, null);
  }
}
