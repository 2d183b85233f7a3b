package dev.holdfast.document.analysis;

import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.RegularExpressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.lucene.analysis.CharArraySet;
import org.jspecify.annotations.Nullable;

/// The settings of one part of analysis: what an index says about an analyser, a tokenizer or a
/// filter, and the index's own settings around it.
///
/// @param name what the index calls the part
/// @param values its settings; arrays are lists, or numbered keys
/// @param asked the keys that somebody has looked at
record AnalysisParameters(
    String name,
    SortedMap<String, Object> values,
    SortedMap<String, Object> indexSettings,
    SortedSet<String> asked) {

  /// A built-in part with nothing set.
  static AnalysisParameters none(String name, SortedMap<String, Object> indexSettings) {
    return new AnalysisParameters(name, new TreeMap<>(), indexSettings, new TreeSet<>());
  }

  /// The keys of settings that nobody has looked at: they have no effect.
  List<String> unread() {
    return values.keySet().stream().filter(key -> !isRead(key)).toList();
  }

  private boolean isRead(String key) {
    int dot = key.lastIndexOf('.'); // of an element of a list, or of a member
    return asked.contains(key) || (dot > 0 && isRead(key.substring(0, dot)));
  }

  private @Nullable Object value(String key) {
    asked.add(key);
    return values.get(key);
  }

  boolean has(String key) {
    asked.add(key);
    return values.containsKey(key) || values.containsKey(key + ".0");
  }

  /// Nodes have no files of their own.
  ///
  /// @throws Refusal `illegal_argument_exception` where one is named
  void requireNoFile(String key) {
    if (has(key)) {
      throw Refusal.badArgument("[" + name + "]: " + key + " is not supported");
    }
  }

  @Nullable String text(String key) {
    Object value = value(key);
    return value == null ? null : value.toString();
  }

  String text(String key, String whenAbsent) {
    String text = text(key);
    return text == null ? whenAbsent : text;
  }

  /// @throws Refusal `illegal_argument_exception` when the setting is missing
  String requiredText(String key) {
    String text = text(key);
    if (text == null) {
      throw Refusal.badArgument("[" + name + "] requires [" + key + "] to be set");
    }
    return text;
  }

  int number(String key, int whenAbsent) {
    asked.add(key);
    return number(values, key, whenAbsent);
  }

  int indexNumber(String key, int whenAbsent) {
    return number(indexSettings, key, whenAbsent);
  }

  private static int number(SortedMap<String, Object> settings, String key, int whenAbsent) {
    Object value = settings.get(key);
    if (value == null) {
      return whenAbsent;
    }
    try {
      return Integer.parseInt(value.toString());
    } catch (NumberFormatException notANumber) {
      throw new Refusal(
          dev.holdfast.world.ErrorType.ILLEGAL_ARGUMENT,
          "Failed to parse value [" + value + "] for setting [" + key + "]",
          notANumber);
    }
  }

  boolean flag(String key, boolean whenAbsent) {
    String text = text(key);
    return switch (text) {
      case null -> whenAbsent;
      case "true" -> true;
      case "false", "" -> false;
      default ->
          throw Refusal.badArgument(
              "Failed to parse value [" + text + "] as only [true] or [false] are allowed.");
    };
  }

  /// The values of a list, a text with commas, or numbered keys; empty when absent.
  List<String> list(String key) {
    return list(key, true);
  }

  /// The values of a list whose entries hold commas of their own.
  List<String> rules(String key) {
    return list(key, false);
  }

  private List<String> list(String key, boolean isSplit) {
    Object value = value(key);
    List<String> list = new ArrayList<>();
    switch (value) {
      case null -> {
        for (int i = 0; values.get(key + "." + i) != null; i++) {
          list.add(String.valueOf(values.get(key + "." + i)));
        }
      }
      case List<?> elements -> elements.forEach(element -> list.add(String.valueOf(element)));
      default -> {
        String text = value.toString();
        if (!text.isEmpty()) {
          list.addAll(isSplit ? List.of(text.split("\\s*,\\s*", -1)) : List.of(text));
        }
      }
    }
    return list;
  }

  CharArraySet words(String key, boolean isCaseIgnored) {
    return new CharArraySet(list(key), isCaseIgnored);
  }

  Pattern pattern(String key, @Nullable String whenAbsent) {
    return compiled(whenAbsent == null ? requiredText(key) : text(key, whenAbsent));
  }

  /// The expression with the flags of `flags`.
  ///
  /// @throws Refusal `illegal_argument_exception` when it is none
  Pattern compiled(String pattern) {
    try {
      return RegularExpressions.compile(pattern, flags(text("flags", "")));
    } catch (PatternSyntaxException notAPattern) {
      throw new Refusal(
          dev.holdfast.world.ErrorType.ILLEGAL_ARGUMENT,
          String.valueOf(notAPattern.getMessage()),
          notAPattern);
    }
  }

  private static int flags(String names) {
    int flags = 0;
    for (String flag : names.split("\\|", -1)) {
      flags |=
          switch (flag.strip().toUpperCase(Locale.ROOT)) {
            case "" -> 0;
            case "CASE_INSENSITIVE" -> Pattern.CASE_INSENSITIVE;
            case "MULTILINE" -> Pattern.MULTILINE;
            case "DOTALL" -> Pattern.DOTALL;
            case "UNICODE_CASE" -> Pattern.UNICODE_CASE;
            case "CANON_EQ" -> Pattern.CANON_EQ;
            case "UNIX_LINES" -> Pattern.UNIX_LINES;
            case "LITERAL" -> Pattern.LITERAL;
            case "COMMENTS" -> Pattern.COMMENTS;
            case "UNICODE_CHAR_CLASS", "UNICODE_CHARACTER_CLASS" -> Pattern.UNICODE_CHARACTER_CLASS;
            default -> throw Refusal.badArgument("Unknown regex flag [" + flag + "]");
          };
    }
    return flags;
  }
}
