package dev.holdfast.api.indices.resolve;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What the names of indices in a route's paths may say beside names: indices of other clusters
/// (`cluster:index`), of which there are none, and which indices of a stream (`stream::failures`).
///
/// @param variables of the path that name what there is
/// @param mayBeRemote whether Elasticsearch looks in other clusters there
/// @param mayBeSelected whether selectors mean something there
public record PathNames(List<String> variables, boolean mayBeRemote, boolean mayBeSelected) {
  private static final List<String> SEARCHES =
      List.of(
          "/{index}/_search",
          "/{index}/_search/template",
          "/{index}/_async_search",
          "/{index}/_msearch",
          "/{index}/_msearch/template",
          "/{index}/_count",
          "/{index}/_field_caps",
          "/{index}/_pit",
          "/{index}/_terms_enum",
          "/{index}/_validate/query",
          "/{index}/_explain/{id}",
          "/{index}/_mvt/{field}/{zoom}/{x}/{y}",
          "/_cat/count/{index}");

  private static final List<String> OF_ONE_INDEX =
      List.of(
          "/{index}/_source/{id}",
          "/{index}/_explain/{id}",
          "/{index}/_termvectors",
          "/{index}/_termvectors/{id}",
          "/{index}/_analyze");

  /// Of documents, for which an index may be made: it must have a name that one can have.
  private static final List<String> WRITES =
      List.of("/{index}/_doc", "/{index}/_create", "/{index}/_update/", "/{index}/_bulk");

  private static final String SELECTOR = "::";

  /// @param verbs of the route
  /// @param path of the route, with `{names}`
  public static PathNames of(String verbs, String path) {
    boolean isOfAliases = path.startsWith("/{index}/_alias");
    boolean reads = !verbs.contains("PUT") && !verbs.contains("POST");
    boolean isOfDocument = path.startsWith("/{index}/_doc/") && reads;
    boolean isOfWhole =
        (path.equals("/{index}") && verbs.equals("DELETE"))
            || (path.startsWith("/{index}/_mapping") && !reads);
    boolean resolves = path.startsWith("/_resolve/");
    boolean makes = path.equals("/{index}") && verbs.equals("PUT");
    boolean writes = !reads && WRITES.stream().anyMatch(path::startsWith);
    return new PathNames(
        resolves ? List.of("name") : makes || writes ? List.of() : List.of("index", "alias"),
        resolves || SEARCHES.contains(path),
        !isOfAliases && !isOfDocument && !isOfWhole && !OF_ONE_INDEX.contains(path));
  }

  /// @param values of the path, by their variables
  /// @throws Refusal for names that cannot stand there
  public void check(Map<String, String> values) {
    for (String variable : variables) {
      String names = values.get(variable);
      if (names != null) {
        check(names);
      }
    }
  }

  private void check(String names) {
    if (names.indexOf(':') < 0) {
      return;
    }
    List<String> remote = new ArrayList<>();
    for (String part : names.split(",")) {
      String name = part.startsWith("-") ? part.substring(1) : part;
      int colon = name.indexOf(':');
      if (colon < 0 || name.startsWith("<")) { // dates have colons of their own
        continue;
      }
      if (!name.startsWith(SELECTOR, colon)) {
        remote.add(part);
      } else if (!mayBeSelected) {
        var _ = StreamExpression.of(name);
        throw new Refusal(
            ErrorType.UNSUPPORTED_SELECTOR,
            "Index component selectors are not supported in this context but found selector in"
                + " expression ["
                + part
                + "]");
      }
    }
    requireLocal(remote);
  }

  /// Patterns find no cluster.
  private void requireLocal(List<String> remote) {
    if (!mayBeRemote && !remote.isEmpty()) {
      throw Refusal.badArgument(
          "Cross-cluster calls are not supported in this context but remote indices were"
              + " requested: "
              + remote);
    }
    for (String part : remote) {
      String cluster = part.substring(0, part.indexOf(':'));
      if (cluster.indexOf('*') < 0 && !cluster.startsWith("-")) {
        throw new Refusal(
            ErrorType.NO_SUCH_REMOTE_CLUSTER, "no such remote cluster: [" + cluster + "]");
      }
    }
  }
}
