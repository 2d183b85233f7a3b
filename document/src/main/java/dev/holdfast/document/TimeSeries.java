package dev.holdfast.document;

import dev.holdfast.document.date.DateFormat;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;

/// What settings say of an index of time series (`index.mode: time_series`): which dimensions route
/// its documents, and between which times they lie.
///
/// @param paths patterns of `index.routing_path`
/// @param startMillis the first instant
/// @param endMillis the first instant that is too late
public record TimeSeries(List<String> paths, long startMillis, long endMillis) {
  public static final String MODE = "index.mode";
  public static final String PATH = "index.routing_path";
  public static final String START = "index.time_series.start_time";
  public static final String END = "index.time_series.end_time";

  /// The version of Elasticsearch whose behaviour an index has: seven digits.
  public static final String CREATED = "index.version.created";

  /// The first version of compact indices ([#isCompact]).
  public static final String COMPACT_SINCE = "9111000";

  /// The last instant of Elasticsearch's calendar.
  private static final long END_MAX = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  public TimeSeries {
    paths = List.copyOf(paths);
  }

  /// @param settings flat index settings
  public static boolean is(SortedMap<String, Object> settings) {
    return "time_series".equals(settings.get(MODE));
  }

  /// Whether documents of an index lie in the order of their times: it is of logs, or of time
  /// series.
  ///
  /// @param settings flat index settings
  public static boolean isByTime(SortedMap<String, Object> settings) {
    return "logsdb".equals(settings.get(MODE)) || is(settings);
  }

  /// Whether such an index is of a build that writes it as small as it can be: columns are packed,
  /// and texts have norms only where their mapping says so. An index stays what it was.
  ///
  /// @param settings flat index settings
  public static boolean isCompact(SortedMap<String, Object> settings) {
    return isByTime(settings)
        && String.valueOf(settings.get(CREATED)).compareTo(COMPACT_SINCE) >= 0;
  }

  /// @param settings flat index settings of that mode
  /// @throws Refusal when a time is none
  public static TimeSeries of(SortedMap<String, Object> settings) {
    return new TimeSeries(paths(settings), time(settings, START, 0), time(settings, END, END_MAX));
  }

  /// The patterns of `index.routing_path`; none when there are none.
  public static List<String> paths(SortedMap<String, Object> settings) {
    return switch (settings.get(PATH)) {
      case null -> List.of();
      case Collection<?> list -> list.stream().map(Object::toString).toList();
      case Object text when text.toString().isBlank() -> List.of();
      case Object text ->
          List.of(text.toString().split(",", -1)).stream().map(String::trim).toList();
    };
  }

  private static long time(SortedMap<String, Object> settings, String name, long whenAbsent) {
    Object given = settings.get(name);
    return given == null ? whenAbsent : millis(given.toString());
  }

  /// @throws Refusal `illegal_argument_exception`
  public static long millis(String time) {
    byte[] text = time.getBytes(StandardCharsets.UTF_8);
    return DateFormat.DEFAULT.parseMillis(text, 0, text.length);
  }

  /// Whether a field of that path routes.
  public boolean routes(String path) {
    return routes(paths, path);
  }

  public static boolean routes(List<String> paths, String path) {
    for (String pattern : paths) {
      if (Wildcards.matches(pattern, path)) {
        return true;
      }
    }
    return false;
  }

  public boolean holds(long millis) {
    return startMillis <= millis && millis < endMillis;
  }

  /// @throws Refusal `illegal_argument_exception` for a time that the index does not hold
  public void requireHeld(long millis) {
    if (millis < startMillis) {
      throw outside(millis, "larger", startMillis);
    }
    if (millis >= endMillis) {
      throw outside(millis, "smaller", endMillis);
    }
  }

  private static Refusal outside(long millis, String than, long bound) {
    return Refusal.badArgument(
        "time series index @timestamp value ["
            + Instant.ofEpochMilli(millis)
            + "] must be "
            + than
            + " than "
            + Instant.ofEpochMilli(bound));
  }
}
