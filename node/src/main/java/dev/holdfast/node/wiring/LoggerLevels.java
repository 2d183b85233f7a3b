package dev.holdfast.node.wiring;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.settings.LogLevels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Keeps the levels of loggers at what the cluster's settings `logger.<name>` say; one that is no
/// longer set has its level as the process began, or that of the one above it. Loggers are never
/// let go of: of names that no code logs under, a process follows the first few thousand.
final class LoggerLevels {
  /// Loggers that are made because a setting names them, those above them among them.
  private static final int MADE_MAX = 5_000;

  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LoggerLevels.class);

  private final LoggerContext context;

  /// As the process began, of loggers that have a level of their own: ours from the command line,
  /// the slow logs', which everything passes that an index wants written.
  private final Map<String, Level> initial = new HashMap<>();

  private final Set<String> changed = new HashSet<>();
  private Map<String, String> applied = Map.of();
  private long made;

  private LoggerLevels(LoggerContext context) {
    this.context = context;
    for (Logger logger : context.getLoggerList()) {
      if (logger.getLevel() != null) {
        initial.put(logger.getName(), logger.getLevel());
      }
    }
  }

  /// Follows the settings of a cluster; nothing where another program has brought its own logging.
  static void follow(Metadata metadata) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      follow(metadata, context);
    }
  }

  static void follow(Metadata metadata, LoggerContext context) {
    LoggerLevels levels = new LoggerLevels(context);
    metadata.listen((before, now) -> levels.apply(now));
  }

  private synchronized void apply(ClusterState state) {
    Map<String, String> wanted = LogLevels.of(state);
    if (wanted.equals(applied)) {
      return;
    }
    for (String name : Set.copyOf(changed)) {
      if (!wanted.containsKey(name)) {
        changed.remove(name);
        boolean _ = set(name, initial(name));
      }
    }
    List<String> refused = new ArrayList<>();
    wanted.forEach((name, level) -> {
      changed.add(name);
      if (!set(name, Level.toLevel(level))) {
        refused.add(name);
      }
    });
    applied = wanted;
    if (!refused.isEmpty()) {
      LOG.warn(
          "too many loggers have been made: levels have no effect until this process starts again"
              + " [count={}, first={}]",
          refused.size(),
          refused.getFirst());
    }
  }

  /// @return false when there is no such logger and it may not be made
  private boolean set(String name, @Nullable Level level) {
    String known = name.equals(LogLevels.ROOT) ? Logger.ROOT_LOGGER_NAME : name;
    if (context.exists(known) == null) {
      if (level == null) { // one that was not made has nothing to lose
        return true;
      }
      long price = 1 + known.chars().filter(letter -> letter == '.' || letter == '$').count();
      if (made + price > MADE_MAX) {
        return false;
      }
      made += price;
    }
    context.getLogger(known).setLevel(level);
    return true;
  }

  private @Nullable Level initial(String name) {
    return name.equals(LogLevels.ROOT) ? Level.WARN : initial.get(name);
  }
}
