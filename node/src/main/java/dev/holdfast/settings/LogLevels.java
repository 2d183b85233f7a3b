package dev.holdfast.settings;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The cluster settings `logger.<name>`: levels of loggers, by their names in the log.
public final class LogLevels {
  public static final String PREFIX = "logger.";

  /// The logger above all others.
  public static final String ROOT = "_root";

  private static final Set<String> LEVELS =
      Set.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF", "ALL");

  private LogLevels() {}

  /// @param value null for "as the process began"
  /// @throws Refusal `illegal_argument_exception` when it is no level
  public static void check(@Nullable Object value) {
    if (value != null && !LEVELS.contains(value.toString().toUpperCase(Locale.ROOT))) {
      throw Refusal.badArgument("Unknown level constant [" + value + "].");
    }
  }

  /// The levels that are set, by the loggers' names.
  public static Map<String, String> of(ClusterState state) {
    Map<String, String> levels = new TreeMap<>();
    for (String name : state.settingNames()) {
      Object value = name.startsWith(PREFIX) ? state.setting(name) : null;
      if (value != null) {
        levels.put(name.substring(PREFIX.length()), value.toString().toUpperCase(Locale.ROOT));
      }
    }
    return levels;
  }
}
