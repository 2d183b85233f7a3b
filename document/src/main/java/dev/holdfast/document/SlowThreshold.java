package dev.holdfast.document;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/// The thresholds of an index's slow logs: `{prefix}.{warn,info,debug,trace}`, a time each; -1 for
/// never.
public final class SlowThreshold {
  /// The dearest first.
  private static final Level[] LEVELS = {Level.WARN, Level.INFO, Level.DEBUG, Level.TRACE};

  private SlowThreshold() {}

  /// The dearest level whose threshold was reached; null for none.
  ///
  /// @param prefix of its settings, for example `index.search.slowlog.threshold.query`
  public static @Nullable Level reached(IndexMetadata index, String prefix, long nanos) {
    for (Level level : LEVELS) {
      String name = prefix + "." + level.name().toLowerCase(Locale.ROOT);
      String set = index.setting(name, "-1");
      if (!set.equals("-1") && nanos >= millis(name, set) * 1_000_000) {
        return level;
      }
    }
    return null;
  }

  /// What was set before values were checked counts as not set.
  private static long millis(String name, String set) {
    try {
      long millis = set.equals("0") ? 0 : TimeSpan.millis(name, set);
      return millis < 0 ? Long.MAX_VALUE / 1_000_000 : millis;
    } catch (Refusal e) {
      return Long.MAX_VALUE / 1_000_000;
    }
  }
}
