package dev.holdfast.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// Everything that is asked about. A family is a resource file and a line here.
final class Features {
  private static final List<String> RULES = List.of("vocabulary", "corpus");

  private static final List<String> FAMILIES =
      List.of(
          "query",
          "aggregation",
          "pipeline",
          "search",
          "document",
          "mapping",
          "index",
          "script",
          "wrong");

  private static final Set<String> BOUND =
      Set.of("it", "number", "parent", "type_index", "type_mapping");

  private static final String TYPES = "types";
  static final String TYPE_MAPPING = "type_mapping.";

  private final Grammar grammar = new Grammar();
  private final List<String> names = new ArrayList<>();

  Features() {
    for (String rules : RULES) {
      grammar.read(rules);
    }
    for (String family : FAMILIES) {
      grammar.read(family);
    }
    grammar.read(TYPES);
    grammar.verify(BOUND);
    for (String name : grammar.features()) {
      names.add(name);
    }
    for (String type : types()) {
      names.add("type." + type);
    }
  }

  Grammar grammar() {
    return grammar;
  }

  /// Names of all features: `family.name`.
  List<String> names() {
    return names;
  }

  /// Field types by their names: each has an index of its own.
  List<String> types() {
    return grammar.rules().stream()
        .filter(rule -> rule.startsWith(TYPE_MAPPING))
        .map(rule -> rule.substring(TYPE_MAPPING.length()))
        .toList();
  }

  /// Whether requests of a feature are meant to be refused.
  static boolean isWrong(String feature) {
    return feature.startsWith("wrong.");
  }

  /// One request of a feature, as text for `Request.steps`.
  ///
  /// @param number of the request: the same seed, feature and number give the same text
  String draw(String feature, long seed, long number) {
    Random random = new Random(mix(mix(seed, feature.hashCode()), number));
    String family = feature.substring(0, feature.indexOf('.'));
    if (family.equals("type")) {
      String type = feature.substring(family.length() + 1);
      return grammar.draw("wrap.type", typeBindings(type), random);
    }
    String wrapper = "wrap." + family;
    String text = grammar.draw(feature, Map.of(), random);
    return text.matches("(?s)[A-Z]+ /.*") || !grammar.has(wrapper)
        ? text
        : grammar.draw(wrapper, Map.of("it", "=" + text), random);
  }

  /// What `it` and `type_index` stand for when a type is asked about.
  static Map<String, String> typeBindings(String type) {
    return Map.of(
        "it",
        "value." + type,
        "type_index",
        "=" + Corpus.PREFIX + "type-" + type,
        "type_mapping",
        TYPE_MAPPING + type);
  }

  static long mix(long a, long b) {
    long z = a * 0x9E3779B97F4A7C15L + b;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
