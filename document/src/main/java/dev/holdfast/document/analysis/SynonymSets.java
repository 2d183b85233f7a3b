package dev.holdfast.document.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Sets of synonym rules that the cluster keeps by name, and indices whose filters use them
/// (`synonyms_set`).
public final class SynonymSets {
  private static final String FILTERS = "index.analysis.filter.";
  private static final String MEMBER = ".synonyms_set";

  private SynonymSets() {}

  /// The names of the sets that the index's filters use.
  public static List<String> used(SortedMap<String, Object> settings) {
    List<String> used = new ArrayList<>();
    settings
        .tailMap(FILTERS)
        .forEach((key, value) -> {
          if (key.startsWith(FILTERS) && key.endsWith(MEMBER)) {
            used.add(value.toString());
          }
        });
    return used;
  }

  /// The settings with the rules of the sets in the place of their names.
  ///
  /// @param sets rules by set: `[{"id", "synonyms"}, …]`; null for no sets at all
  /// @throws Refusal `illegal_argument_exception` when a set does not exist
  public static SortedMap<String, Object> inlined(
      SortedMap<String, Object> settings, @Nullable JsonNode sets) {
    if (used(settings).isEmpty()) {
      return settings;
    }
    SortedMap<String, Object> inlined = new TreeMap<>(settings);
    settings
        .tailMap(FILTERS)
        .forEach((key, value) -> {
          if (key.startsWith(FILTERS) && key.endsWith(MEMBER)) {
            inlined.remove(key);
            inlined.put(
                key.substring(0, key.length() - MEMBER.length()) + ".synonyms",
                rules(value.toString(), sets));
          }
        });
    return inlined;
  }

  private static List<String> rules(String name, @Nullable JsonNode sets) {
    JsonNode rules = sets == null ? null : sets.get(name);
    if (rules == null) {
      throw Refusal.badArgument("Synonyms set [" + name + "] not found");
    }
    List<String> texts = new ArrayList<>();
    rules.forEach(rule -> texts.add(rule.path("synonyms").asText()));
    return texts;
  }
}
