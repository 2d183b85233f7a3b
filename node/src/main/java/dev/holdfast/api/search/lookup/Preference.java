package dev.holdfast.api.search.lookup;

import dev.holdfast.world.Refusal;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The `preference` of a request: which shards and copies it would rather have asked.
public final class Preference {
  private Preference() {}

  /// The numbers of the shards that are meant; null for all.
  ///
  /// @throws Refusal when it begins with `_` and is none that Elasticsearch knows
  public static @Nullable Set<Integer> shards(@Nullable String preference) {
    if (preference == null || !preference.startsWith("_")) {
      return null;
    }
    String kind = preference.replaceAll("[:|].*", "");
    switch (kind) {
      case "_local", "_only_local", "_only_nodes", "_prefer_nodes" -> {
        return null;
      }
      case "_shards" -> {
        Set<Integer> numbers = new TreeSet<>();
        String given = preference.replaceFirst("^_shards:", "").replaceAll("\\|.*", "");
        for (String number : given.split(",")) {
          try {
            numbers.add(Integer.parseInt(number));
          } catch (NumberFormatException e) {
            throw Refusal.badArgument("For input string: \"" + number + "\"");
          }
        }
        return numbers;
      }
      default -> throw Refusal.badArgument("no Preference for [" + kind + "]");
    }
  }
}
