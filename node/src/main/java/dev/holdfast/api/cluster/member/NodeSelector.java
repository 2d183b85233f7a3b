package dev.holdfast.api.cluster.member;

import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import dev.holdfast.world.text.Wildcards;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Which nodes and which sections of them a request means: `/_nodes/{node}/{metric}`, where one
/// alone may be either.
///
/// @param isThisNode this node is among those meant
/// @param metrics the sections wanted
public record NodeSelector(boolean isThisNode, Set<String> metrics) {
  /// At the end of a role: nodes that have it.
  private static final String WITH = ":true";

  /// At the end of a role: those of the nodes named before that do not have it.
  private static final String WITHOUT = ":false";

  /// @param known every section there is
  public static NodeSelector of(ApiRequest request, ClusterMembers members, Set<String> known) {
    List<String> metrics = request.list("metric");
    if (metrics.isEmpty() && areMetrics(request.list("node"), known)) {
      metrics = request.list("node");
    }
    return new NodeSelector(
        isChosen(request, members, known, members.self()), metrics(request, metrics, known));
  }

  /// Whether a node is among those meant.
  public static boolean isChosen(
      ApiRequest request, ClusterMembers members, Set<String> known, NodeIdentity node) {
    List<String> names = request.list("node");
    if (names.isEmpty() || (request.list("metric").isEmpty() && areMetrics(names, known))) {
      return true;
    }
    boolean isMeant = false;
    for (String name : names) {
      if (name.endsWith(WITHOUT)) {
        isMeant &= !hasRole(node, name.substring(0, name.length() - WITHOUT.length()));
      } else {
        isMeant |= isNamed(name, members, node);
      }
    }
    return isMeant;
  }

  private static boolean isNamed(String name, ClusterMembers members, NodeIdentity node) {
    return switch (name) {
      case "_all" -> true;
      case "_local" -> members.isSelf(node.id());
      case "_master" -> node.id().equals(members.metadata().leaderId());
      default ->
          name.equals(node.id())
              || Wildcards.matches(name, node.name())
              || Wildcards.matches(name, node.host())
              || (name.endsWith(WITH)
                  && hasRole(node, name.substring(0, name.length() - WITH.length())));
    };
  }

  private static boolean areMetrics(List<String> words, Set<String> known) {
    return words.stream().allMatch(word -> known.contains(word) || word.equals("_all"));
  }

  private static Set<String> metrics(ApiRequest request, List<String> wanted, Set<String> known) {
    if (wanted.isEmpty() || wanted.contains("_all")) {
      if (wanted.size() > 1) {
        throw Refusal.badArgument(
            "request ["
                + request.path()
                + "] contains _all and individual metrics ["
                + String.join(",", wanted)
                + "]");
      }
      return known;
    }
    for (String metric : wanted) {
      if (!known.contains(metric)) {
        throw Refusal.badArgument(
            "request ["
                + request.path()
                + "] contains unrecognized metric: ["
                + metric
                + "]"
                + didYouMean(metric, known));
      }
    }
    return new TreeSet<>(wanted);
  }

  public static String didYouMean(String metric, Set<String> known) {
    List<String> near = Suggestions.near(metric, known);
    return switch (near.size()) {
      case 0 -> "";
      case 1 -> " -> did you mean [" + near.getFirst() + "]?";
      default -> " -> did you mean any of " + near + "?";
    };
  }

  private static boolean hasRole(NodeIdentity self, String role) {
    return NodeRoles.names().contains(role) || NodeRoles.tiers(self).contains(role);
  }
}
