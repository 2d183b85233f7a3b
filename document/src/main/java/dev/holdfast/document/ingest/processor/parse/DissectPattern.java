package dev.holdfast.document.ingest.processor.parse;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A pattern like `%{a} - %{+b/2}->%{?c}`: keys with what stands between them.
///
/// @param lead what stands before the first key
record DissectPattern(
    String text, String lead, List<Key> keys, Set<String> appendedTo, String separator) {
  private static final Pattern KEY = Pattern.compile("%\\{([^}]*?)}");

  /// A key and what stands after it.
  ///
  /// @param order of a part that is appended
  /// @param skipsRight delimiters that repeat count as one
  record Key(String name, Kind kind, int order, boolean skipsRight, String delimiter) {}

  /// What becomes of a part.
  enum Kind {
    FIELD,
    APPEND,
    SKIP,
    FIELD_NAME,
    FIELD_VALUE
  }

  static DissectPattern of(String pattern, String separator) {
    List<Key> keys = new ArrayList<>();
    Matcher matcher = KEY.matcher(pattern);
    String lead = pattern;
    int nameStart = -1;
    int end = 0;
    String name = "";
    while (matcher.find()) {
      if (nameStart < 0) {
        lead = pattern.substring(0, matcher.start());
      } else {
        keys.add(key(pattern, name, pattern.substring(end, matcher.start())));
      }
      nameStart = matcher.start(1);
      name = matcher.group(1);
      end = matcher.end();
    }
    if (nameStart < 0) {
      throw unreadable(pattern, "Unable to find any keys or delimiters.");
    }
    keys.add(key(pattern, name, pattern.substring(end)));
    requireSane(pattern, keys);
    Set<String> appendedTo = counted(keys, Kind.APPEND).keySet();
    return new DissectPattern(pattern, lead, List.copyOf(keys), appendedTo, separator);
  }

  private static void requireSane(String pattern, List<Key> keys) {
    if (keys.stream().allMatch(key -> key.kind() == Kind.SKIP)) {
      throw unreadable(pattern, "The pattern must have at least one key that is not skipped.");
    }
    Map<String, Long> names = counted(keys, Kind.FIELD_NAME);
    Map<String, Long> values = counted(keys, Kind.FIELD_VALUE);
    for (Key key : keys) {
      boolean isPaired =
          switch (key.kind()) {
            case FIELD_NAME -> values.getOrDefault(key.name(), 0L) == 1;
            case FIELD_VALUE -> names.getOrDefault(key.name(), 0L) == 1;
            case FIELD, APPEND, SKIP -> true;
          };
      if (!isPaired) {
        throw unreadable(pattern, "Found invalid key/reference associations: '" + key.name() + "'");
      }
    }
  }

  private static Map<String, Long> counted(List<Key> keys, Kind kind) {
    return keys.stream()
        .filter(key -> key.kind() == kind)
        .collect(Collectors.groupingBy(Key::name, Collectors.counting()));
  }

  private static Key key(String pattern, String given, String delimiter) {
    boolean skipsRight = given.endsWith("->");
    String rest = skipsRight ? given.substring(0, given.length() - 2) : given;
    if (rest.isEmpty() || rest.startsWith("?")) {
      return new Key("", Kind.SKIP, 0, skipsRight, delimiter);
    }
    Kind kind =
        switch (rest.charAt(0)) {
          case '+' -> Kind.APPEND;
          case '*' -> Kind.FIELD_NAME;
          case '&' -> Kind.FIELD_VALUE;
          default -> Kind.FIELD;
        };
    String name = kind == Kind.FIELD ? rest : rest.substring(1);
    int order = 0;
    int slash = name.lastIndexOf('/');
    if (kind == Kind.APPEND && slash > 0) {
      try {
        order = Integer.parseInt(name.substring(slash + 1));
      } catch (NumberFormatException e) {
        throw unreadable(pattern, "Unable to parse the order of '" + rest + "'");
      }
      name = name.substring(0, slash);
    }
    if (name.isEmpty()) {
      throw unreadable(pattern, "The key name could not be determined of '" + given + "'");
    }
    return new Key(name, kind, order, skipsRight, delimiter);
  }

  private static Refusal unreadable(String pattern, String why) {
    return new Refusal(
        ErrorType.DISSECT, "Unable to parse pattern: [" + pattern + "]. Reason: " + why);
  }

  private Refusal unmatched(String source) {
    return new Refusal(
        ErrorType.DISSECT,
        "Unable to find match for dissect pattern: " + text + " against source: " + source);
  }

  /// The values by name.
  ///
  /// @throws Refusal when the source is not of this pattern
  Map<String, String> match(String source) {
    if (!source.startsWith(lead) || source.length() == lead.length()) {
      throw unmatched(source);
    }
    List<String> values = values(source);
    Map<String, String> found = new LinkedHashMap<>();
    Map<String, TreeMap<Integer, List<String>>> appended = new LinkedHashMap<>();
    Map<String, String> names = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      Key key = keys.get(i);
      switch (key.kind()) {
        case FIELD, APPEND -> {
          // A field that others are appended to is the first of its parts.
          if (key.kind() == Kind.APPEND || appendedTo.contains(key.name())) {
            appended
                .computeIfAbsent(key.name(), n -> new TreeMap<>(Comparator.naturalOrder()))
                .computeIfAbsent(key.order(), o -> new ArrayList<>())
                .add(values.get(i));
          } else {
            found.put(key.name(), values.get(i));
          }
        }
        case FIELD_NAME -> names.put(key.name(), values.get(i));
        case SKIP, FIELD_VALUE -> {}
      }
    }
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).kind() == Kind.FIELD_VALUE) {
        found.put(names.getOrDefault(keys.get(i).name(), ""), values.get(i));
      }
    }
    appended.forEach((name, parts) ->
        found.put(
            name, String.join(separator, parts.values().stream().flatMap(List::stream).toList())));
    return found;
  }

  private List<String> values(String source) {
    List<String> values = new ArrayList<>();
    int position = lead.length();
    for (Key key : keys) {
      String delimiter = key.delimiter();
      int end = delimiter.isEmpty() ? source.length() : source.indexOf(delimiter, position);
      if (end < 0) {
        throw unmatched(source);
      }
      values.add(source.substring(position, end));
      position = end + delimiter.length();
      while (key.skipsRight() && !delimiter.isEmpty() && source.startsWith(delimiter, position)) {
        position += delimiter.length();
      }
    }
    return values;
  }
}
