package dev.holdfast.settings;

import dev.holdfast.http.TimeValue;
import dev.holdfast.script.ScriptRules;
import dev.holdfast.script.runtime.RegexRule;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/// The settings of a node about scripts, under Elasticsearch's names.
record ScriptSettings(SettingsParser given) {
  static final String TYPES = "script.allowed_types";
  static final String CONTEXTS = "script.allowed_contexts";
  static final String KEPT_MAX = "script.cache.max_size";
  static final String KEPT_FOR = "script.cache.expire";
  static final String REGEX = "script.painless.regex.enabled";
  static final String FACTOR = "script.painless.regex.limit-factor";

  ScriptRules rules() {
    String regex =
        given.value(
            REGEX,
            "limited",
            text -> {
              if (!Set.of("limited", "true", "false").contains(text)) {
                throw new IllegalArgumentException("it is one of limited, true, false");
              }
              return text;
            });
    int factor =
        given.value(FACTOR, Integer.toString(RegexRule.FACTOR_DEFAULT), text -> whole(text, 1));
    return new ScriptRules(
        given.value(TYPES, "both", ScriptSettings::types),
        given.value(CONTEXTS, "", ScriptSettings::names),
        given.value(KEPT_MAX, Integer.toString(ScriptRules.KEPT_MAX), text -> whole(text, 0)),
        given.value(KEPT_FOR, "0ms", ScriptSettings::time),
        new RegexRule(!regex.equals("false"), regex.equals("true") ? RegexRule.UNLIMITED : factor));
  }

  private static Set<String> names(String text) {
    Set<String> names = new LinkedHashSet<>();
    for (String name : text.replaceAll("[\\[\\]\"]", "").split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    return names;
  }

  private static Set<String> types(String text) {
    Set<String> names = names(text);
    if (names.equals(Set.of("both"))) {
      return Set.of(ScriptRules.INLINE, ScriptRules.STORED);
    }
    if (names.equals(Set.of("none"))) {
      return Set.of();
    }
    if (names.isEmpty() || !Set.of(ScriptRules.INLINE, ScriptRules.STORED).containsAll(names)) {
      throw new IllegalArgumentException("it is both, none, or of inline and stored");
    }
    return names;
  }

  private static int whole(String text, int min) {
    if (!text.matches("[0-9]{1,8}") || Integer.parseInt(text) < min) {
      throw new IllegalArgumentException("it is no number from " + min + " to 99999999");
    }
    return Integer.parseInt(text);
  }

  private static Duration time(String text) {
    try {
      return text.equals("0") ? Duration.ZERO : TimeValue.parse(KEPT_FOR, text);
    } catch (Refusal e) {
      throw new IllegalArgumentException("it is no time, for example 10m", e);
    }
  }
}
