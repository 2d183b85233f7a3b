package dev.holdfast.settings;

import dev.holdfast.http.IdleParameters;
import dev.holdfast.http.ParameterKinds;
import dev.holdfast.http.ParameterKinds.Declared;
import dev.holdfast.http.Routes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The table of query parameters for people, made of the routes and their declarations.
final class ParametersDocument {
  private ParametersDocument() {}

  /// A path and method: what its API reads, what has no effect, what Elasticsearch has and this
  /// refuses.
  record Row(
      String methods,
      String path,
      SortedSet<String> read,
      SortedMap<String, String> idle,
      SortedSet<String> refused) {}

  /// @param specified lines `METHOD|METHOD path name,name`
  static List<Row> rows(List<Routes.Line> lines, List<String> specified) {
    Map<String, List<String>> wanted = new LinkedHashMap<>();
    for (String one : specified) {
      String[] parts = one.split(" ", 3);
      for (String method : parts[0].split("\\|")) {
        wanted.put(method + " " + plain(parts[1]), List.of(parts[2].split(",")));
      }
    }
    Map<String, Row> rows = new LinkedHashMap<>();
    for (Routes.Line line : lines) {
      SortedSet<String> read = new TreeSet<>();
      SortedMap<String, String> idle = new TreeMap<>();
      for (String name : line.route().parameters()) {
        String why = IdleParameters.why(line.verb(), line.route().segments(), name);
        if (why.isEmpty()) {
          read.add(name);
        } else {
          idle.put(name, why);
        }
      }
      SortedSet<String> refused = new TreeSet<>();
      for (String name : wanted.getOrDefault(line.verb() + " " + plain(line.path()), List.of())) {
        if (!name.isEmpty()
            && !line.route().parameters().contains(name)
            && !Routes.COMMON.contains(name)
            && !line.route().segments().contains("{" + name + "}")) {
          refused.add(name);
        }
      }
      Row row = new Row(line.verb().name(), line.path(), read, idle, refused);
      rows.merge(line.path() + read + idle + refused, row, ParametersDocument::joined);
    }
    return new ArrayList<>(rows.values());
  }

  private static Row joined(Row first, Row second) {
    return new Row(
        first.methods() + ", " + second.methods(),
        first.path(),
        first.read(),
        first.idle(),
        first.refused());
  }

  private static String plain(String path) {
    return path.replaceAll("\\{[^}]*}", "{}");
  }

  static String markdown(List<Routes.Line> lines, List<String> specified) {
    List<Row> rows = rows(lines, specified);
    StringBuilder text = new StringBuilder();
    text.append(
        """
        # Query parameters

        Made of the declarations in the code (`ParameterKinds`, `IdleParameters`, the tables of APIs); a test says when it is out of date, and asks every API with each of its
        parameters whether it looks at it. What is in no row is refused, with the nearest name. What has no effect is taken, and each request that gives it is answered with a `Warning`
        header that says why; so is a parameter that the rest of a request gives no occasion to read. Every API takes `error_trace`, `filter_path`, `format`, `human`, `pretty`,
        `source` and `source_content_type`.

        ## By path

        | methods | path | read | no effect |
        |---|---|---|---|
        """);
    for (Row row : rows) {
      if (!row.read().isEmpty() || !row.idle().isEmpty()) {
        text.append("| ")
            .append(row.methods())
            .append(" | `")
            .append(row.path())
            .append("` | ")
            .append(quoted(row.read()))
            .append(" | ")
            .append(quoted(row.idle().keySet()))
            .append(" |\n");
      }
    }
    types(text, lines);
    idle(text, rows);
    refused(text, rows);
    return text.toString();
  }

  private static void types(StringBuilder text, List<Routes.Line> lines) {
    text.append(
        """

        ## Types and defaults

        | parameter | type | default |
        |---|---|---|
        """);
    SortedMap<String, Declared> declared = new TreeMap<>();
    for (Routes.Line line : lines) {
      for (String name : line.route().parameters()) {
        Declared one = Objects.requireNonNull(ParameterKinds.of(line.route().segments(), name));
        declared.put(name + " " + one.kind().label() + " " + one.byDefault(), one);
      }
    }
    declared.forEach((key, one) ->
        text.append("| `")
            .append(key, 0, key.indexOf(' '))
            .append("` | ")
            .append(one.kind().label())
            .append(" | ")
            .append(one.byDefault().isEmpty() ? "" : "`" + one.byDefault() + "`")
            .append(" |\n"));
  }

  private static void idle(StringBuilder text, List<Row> rows) {
    text.append(
        """

        ## Without effect

        | parameters | why |
        |---|---|
        """);
    SortedMap<String, SortedSet<String>> byReason = new TreeMap<>();
    for (Row row : rows) {
      row.idle()
          .forEach((name, why) -> byReason.computeIfAbsent(why, _ -> new TreeSet<>()).add(name));
    }
    byReason.forEach((why, names) ->
        text.append("| ").append(quoted(names)).append(" | ").append(why).append(" |\n"));
  }

  private static void refused(StringBuilder text, List<Row> rows) {
    text.append(
        """

        ## Refused, though Elasticsearch's specification has them

        | methods | path | parameters |
        |---|---|---|
        """);
    for (Row row : rows) {
      if (!row.refused().isEmpty()) {
        text.append("| ")
            .append(row.methods())
            .append(" | `")
            .append(row.path())
            .append("` | ")
            .append(quoted(row.refused()))
            .append(" |\n");
      }
    }
  }

  private static String quoted(Iterable<String> names) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(text.isEmpty() ? "`" : ", `").append(name).append('`');
    }
    return text.toString();
  }
}
