package dev.holdfast.api.synonyms;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;

/// What a synonym rule in Solr's notation must look like: `a, b` or `a, b => c`, no part of it
/// blank. A backslash takes the meaning from what follows.
final class SynonymRules {
  private SynonymRules() {}

  /// @throws Refusal 400
  static void require(String rule) {
    if (rule.isEmpty()) {
      throw invalid("[synonyms] field can't be empty");
    }
    List<String> sides = parts(rule, "=>");
    if (sides.size() > 2) {
      throw invalid(
          "More than one explicit mapping specified in the same synonyms rule: [" + rule + "]");
    }
    for (String side : sides) {
      if (parts(side, ",").stream().anyMatch(String::isBlank)) {
        throw invalid("Incorrect syntax for [synonyms]: [" + rule + "]");
      }
    }
  }

  private static Refusal invalid(String fault) {
    return new Refusal(ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: " + fault + ";");
  }

  /// The parts between separators; those without a character do not count.
  private static List<String> parts(String text, String separator) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < text.length(); ) {
      if (text.charAt(i) == '\\') {
        i += 2;
      } else if (text.startsWith(separator, i)) {
        add(parts, text.substring(from, i));
        i += separator.length();
        from = i;
      } else {
        i++;
      }
    }
    add(parts, text.substring(from));
    return parts;
  }

  private static void add(List<String> parts, String part) {
    if (!part.isEmpty()) {
      parts.add(part);
    }
  }
}
