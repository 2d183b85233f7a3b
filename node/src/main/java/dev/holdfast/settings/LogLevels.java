package dev.holdfast.settings;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The cluster settings `logger.<name>`: levels of loggers, by their names in the log. A logger
/// that was named once is there for as long as the process runs, with one for each dot of its name,
/// and what looks for one goes through all beside it: so there are few of them, with names of some
/// length.
public final class LogLevels {
  public static final String PREFIX = "logger.";

  /// The logger above all others.
  public static final String ROOT = "_root";

  /// Loggers with a level of their own at one time.
  static final int LOGGERS_MAX = 1_000;

  /// The longest name, in characters.
  static final int NAME_LENGTH_MAX = 500;

  private static final int SHOWN_CHARACTERS = 100;

  private static final Set<String> LEVELS =
      Set.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF", "ALL");

  private LogLevels() {}

  /// @param setting its whole name
  /// @param value null for "as the process began"
  /// @throws Refusal `illegal_argument_exception` when it is no level, or no name of a logger
  public static void check(String setting, @Nullable Object value) {
    if (value == null) {
      return;
    }
    if (!LEVELS.contains(value.toString().toUpperCase(Locale.ROOT))) {
      throw Refusal.badArgument("Unknown level constant [" + value + "].");
    }
    if (setting.length() - PREFIX.length() > NAME_LENGTH_MAX) {
      throw Refusal.badArgument(
          "the name of the logger of ["
              + setting.substring(0, SHOWN_CHARACTERS)
              + "…] has more than ["
              + NAME_LENGTH_MAX
              + "] characters");
    }
  }

  /// @throws Refusal `illegal_argument_exception` when a change makes them too many
  public static void requireFew(ClusterState before, ClusterState after) {
    int loggers = of(after).size();
    if (loggers > LOGGERS_MAX && loggers > of(before).size()) {
      throw Refusal.badArgument(
          "["
              + loggers
              + "] loggers would have levels of their own, more than ["
              + LOGGERS_MAX
              + "]: set those of packages, or set others to null");
    }
  }

  /// The levels that are set, by the loggers' names; names that are too long are left out.
  public static Map<String, String> of(ClusterState state) {
    Map<String, String> levels = new TreeMap<>();
    for (String name : state.settingNames()) {
      boolean isOfLogger =
          name.startsWith(PREFIX) && name.length() - PREFIX.length() <= NAME_LENGTH_MAX;
      Object value = isOfLogger ? state.setting(name) : null;
      if (value != null) {
        levels.put(name.substring(PREFIX.length()), value.toString().toUpperCase(Locale.ROOT));
      }
    }
    return levels;
  }
}
