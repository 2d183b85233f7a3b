package dev.holdfast.oracle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/// Rules by name, read from resource files. A line `name = template` is a rule, `name: template` a
/// feature to ask about (several lines of one name: alternatives); a line that begins with a space
/// continues the one before, `#` begins a comment.
final class Grammar {
  private final Map<String, List<Template>> rules = new LinkedHashMap<>();
  private final Map<String, String> families = new LinkedHashMap<>();

  /// Reads one family. Its features are called `family.name`; its rules are everybody's.
  void read(String family) {
    String line = "";
    for (String each : (lines(family) + "\nend").lines().toList()) {
      if (each.startsWith(" ")) {
        line += each.replaceFirst(" +", " ");
        continue;
      }
      take(family, line);
      line = each;
    }
  }

  private void take(String family, String line) {
    if (line.isBlank() || line.startsWith("#")) {
      return;
    }
    int colon = line.indexOf(": ");
    int equals = line.indexOf(" = ");
    if (equals > 0 && (colon < 0 || equals < colon)) {
      add(line.substring(0, equals).strip(), line.substring(equals + 3));
    } else if (colon > 0) {
      String name = family + "." + line.substring(0, colon);
      add(name, line.substring(colon + 2));
      families.put(name, family);
    } else {
      throw new IllegalArgumentException("neither rule nor feature in " + family + ": " + line);
    }
  }

  private void add(String name, String text) {
    rules.computeIfAbsent(name, _ -> new ArrayList<>()).add(TemplateParser.parse(text.strip()));
  }

  /// Names of all features, in the order of the files.
  List<String> features() {
    return List.copyOf(families.keySet());
  }

  /// The file a feature comes from.
  String family(String feature) {
    return families.getOrDefault(feature, "");
  }

  /// Names of all rules, features among them.
  Set<String> rules() {
    return rules.keySet();
  }

  boolean has(String rule) {
    return rules.containsKey(rule);
  }

  /// Finds names in the rules that nothing stands for.
  ///
  /// @param bound names that are bound when texts are drawn
  /// @throws IllegalArgumentException if there is one
  void verify(Set<String> bound) {
    rules.forEach((name, templates) ->
        templates.forEach(template ->
            references(template)
                .filter(one -> !rules.containsKey(one) && !bound.contains(one))
                .findFirst()
                .ifPresent(missing -> {
                  throw new IllegalArgumentException(
                      "no rule [" + missing + "], which [" + name + "] refers to");
                })));
  }

  private static Stream<String> references(Template template) {
    return switch (template) {
      case Template.Reference one -> Stream.of(one.rule());
      case Template.Sequence all -> all.parts().stream().flatMap(Grammar::references);
      case Template.Choice all -> all.alternatives().stream().flatMap(Grammar::references);
      case Template.Maybe one -> references(one.inner());
      case Template.Repeat one -> references(one.inner());
      case Template.Nested one ->
          Stream.of(one.open(), one.inner(), one.close()).flatMap(Grammar::references);
      case Template.Literal _ -> Stream.empty();
      case Template.Unique _ -> Stream.empty();
      case Template.NumberBetween _ -> Stream.empty();
    };
  }

  /// One text of a rule.
  ///
  /// @param bindings names that stand for other rules this time, or for texts: `=text`
  /// @throws IllegalArgumentException if a rule is missing
  String draw(String rule, Map<String, String> bindings, Random random) {
    StringBuilder text = new StringBuilder();
    template(rule, bindings).draw(name -> template(name, bindings), random, text, 0);
    return text.toString();
  }

  private Template template(String name, Map<String, String> bindings) {
    String bound = bindings.getOrDefault(name, name);
    if (bound.startsWith("=")) {
      return new Template.Literal(bound.substring(1));
    }
    List<Template> found = rules.get(bound);
    if (found == null) {
      throw new IllegalArgumentException("no rule [" + name + "]");
    }
    return found.size() == 1 ? found.getFirst() : new Template.Choice(found);
  }

  private static String lines(String family) {
    String name = family + ".grammar";
    try (InputStream in = Grammar.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
