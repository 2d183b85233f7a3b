package dev.holdfast.indexing.refresh;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.node.IndexingConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/// How often an index refreshes by itself: `index.refresh_interval`.
public final class RefreshInterval {
  private RefreshInterval() {}

  /// Whether the index leaves it to us: searched shards often, others when a search comes.
  public static boolean isDefault(IndexMetadata index) {
    return !index.settings().containsKey("index.refresh_interval");
  }

  /// Empty when it never does (`-1`).
  public static Optional<Duration> of(IndexMetadata index, IndexingConfig config) {
    Object setting = index.settings().get("index.refresh_interval");
    if (setting == null) {
      return Optional.of(config.refreshes().interval());
    }
    String text = setting.toString().trim().toLowerCase(Locale.ROOT);
    if (text.startsWith("-") || text.equals("0")) {
      return text.equals("0") ? Optional.of(config.refreshes().intervalMin()) : Optional.empty();
    }
    Duration asked = parse(text, config.refreshes().interval());
    Duration least = config.refreshes().intervalMin();
    return Optional.of(asked.compareTo(least) < 0 ? least : asked);
  }

  /// The setting was checked when it was set; what can't be read all the same means the default.
  private static Duration parse(String text, Duration whenUnreadable) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > 9) {
      return whenUnreadable;
    }
    long count = Long.parseLong(text.substring(0, digits));
    return switch (text.substring(digits)) {
      case "nanos" -> Duration.ofNanos(count);
      case "micros" -> Duration.ofNanos(count * 1000);
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      case "d" -> Duration.ofDays(count);
      default -> whenUnreadable;
    };
  }
}
