package dev.holdfast.http;

import dev.holdfast.world.Promise;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The table of contents of the API: which API serves which method and path. Literal segments win
/// over `{names}`, from the left, and the one that wins decides which methods there are.
public final class Routes {
  /// Parameters that every API takes.
  public static final Set<String> COMMON =
      new TreeSet<>(
          List.of(
              "error_trace",
              "filter_path",
              "format",
              "human",
              "pretty",
              "source",
              "source_content_type"));

  private final Node root = new Node();
  private final List<Line> lines = new ArrayList<>();
  private final Around around;

  public Routes() {
    this((verbs, path, api) -> api);
  }

  /// @param around put around every API
  public Routes(Around around) {
    this.around = around;
  }

  /// What happens around every API of a table.
  @FunctionalInterface
  public interface Around {
    Api wrap(String verbs, String path, Api api);
  }

  /// Adds a line to the table.
  ///
  /// @param verbs one or more methods with `|` between them: `GET|POST`; `GET|HEAD`
  /// @param path segments and `{names}`: `/{index}/_doc/{id}`
  /// @param parameters the query parameters that the API reads; others are refused
  public Routes on(String verbs, String path, BodyRule body, Api api, String... parameters) {
    return on(verbs, path, body, api, List.of(parameters));
  }

  /// The same with parameters that several lines share.
  public Routes on(String verbs, String path, BodyRule body, Api api, Iterable<String> parameters) {
    Set<String> known = new TreeSet<>();
    parameters.forEach(known::add);
    List<String> segments = new ArrayList<>();
    Node node = root;
    for (String segment : path.split("/", -1)) {
      if (!segment.isEmpty()) {
        segments.add(segment);
        node = node.child(segment);
      }
    }
    Api wrapped = around.wrap(verbs, path, api);
    for (String name : verbs.split("\\|", -1)) {
      Verb verb = Verb.valueOf(name);
      Promise.keep(!node.routes.containsKey(verb), "one API a route", "method", name, "path", path);
      Route route = new Route(segments, body, wrapped, known);
      node.routes.put(verb, route);
      lines.add(new Line(verb, path, route));
    }
    return this;
  }

  /// The whole table, in the order in which it was made.
  public List<Line> lines() {
    return List.copyOf(lines);
  }

  /// A line of the table as it was written.
  public record Line(Verb verb, String path, Route route) {}

  /// The segments without empty ones, where each stands in the place of a name: `//_search` asks
  /// like `/_search`. Elsewhere an empty segment is part of a path that nobody serves.
  public List<String> named(List<String> segments) {
    return segments.contains("") && find(root, segments, 0) != null
        ? segments.stream().filter(segment -> !segment.isEmpty()).toList()
        : segments;
  }

  /// The route for a request; null when no route of that path serves the method.
  public @Nullable Match match(Verb verb, List<String> segments) {
    Node node = find(root, segments, 0);
    Route route = node == null ? null : node.routes.get(verb);
    return route == null ? null : new Match(route, values(route, segments));
  }

  /// The methods that the routes of that path serve, in the order of [Verb]; empty when no route
  /// has the path.
  public List<Verb> allowed(List<String> segments) {
    Node node = find(root, segments, 0);
    return node == null ? List.of() : List.copyOf(node.routes.keySet());
  }

  /// The most literal path that has routes, whatever their methods: `DELETE /_search` deletes no
  /// index of that name.
  private static @Nullable Node find(Node node, List<String> segments, int depth) {
    if (depth == segments.size()) {
      return node.routes.isEmpty() ? null : node;
    }
    Node literal = node.literals.get(segments.get(depth));
    Node found = literal == null ? null : find(literal, segments, depth + 1);
    return found != null || node.anything == null
        ? found
        : find(node.anything, segments, depth + 1);
  }

  private static Map<String, String> values(Route route, List<String> segments) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < segments.size(); i++) {
      String segment = route.segments().get(i);
      if (segment.startsWith("{")) {
        values.put(segment.substring(1, segment.length() - 1), segments.get(i));
      }
    }
    return values;
  }

  /// What serves a method and path.
  public record Route(List<String> segments, BodyRule body, Api api, Set<String> parameters) {}

  /// A route and what its `{names}` stand for.
  public record Match(Route route, Map<String, String> pathValues) {}

  private static final class Node {
    final Map<String, Node> literals = new LinkedHashMap<>();
    final Map<Verb, Route> routes = new EnumMap<>(Verb.class);
    @Nullable Node anything;

    Node child(String segment) {
      if (!segment.startsWith("{")) {
        return literals.computeIfAbsent(segment, s -> new Node());
      }
      if (anything == null) {
        anything = new Node();
      }
      return anything;
    }
  }
}
