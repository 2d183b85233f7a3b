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
  /// @param known every section there is
  public static NodeSelector of(ApiRequest request, NodeIdentity self, Set<String> known) {
    List<String> nodes = request.list("node");
    List<String> metrics = request.list("metric");
    if (metrics.isEmpty() && !nodes.isEmpty() && areMetrics(nodes, known)) {
      metrics = nodes;
      nodes = List.of();
    }
    return new NodeSelector(isMeant(nodes, self), metrics(request, metrics, known));
  }

  /// Whether another node is among those meant.
  public static boolean isChosen(
      ApiRequest request, Set<String> known, NodeIdentity node, String leaderId) {
    List<String> nodes = request.list("node");
    if (request.list("metric").isEmpty() && areMetrics(nodes, known)) {
      return true;
    }
    List<String> elsewhere =
        nodes.stream().filter(name -> isElsewhere(name, node, leaderId)).toList();
    return nodes.isEmpty() || (!elsewhere.isEmpty() && isMeant(elsewhere, node));
  }

  private static boolean isElsewhere(String name, NodeIdentity node, String leaderId) {
    return !name.equals("_local") && (!name.equals("_master") || node.id().equals(leaderId));
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

  private static boolean isMeant(List<String> nodes, NodeIdentity self) {
    return nodes.isEmpty()
        || nodes.stream()
            .anyMatch(node ->
                List.of("_all", "_local", "_master").contains(node)
                    || node.equals(self.id())
                    || Wildcards.matches(node, self.name())
                    || Wildcards.matches(node, self.host())
                    || isRole(node, self));
  }

  private static boolean isRole(String node, NodeIdentity self) {
    return node.endsWith(":true")
        && hasRole(self, node.substring(0, node.length() - ":true".length()));
  }

  private static boolean hasRole(NodeIdentity self, String role) {
    return NodeRoles.names().contains(role) || NodeRoles.tiers(self).contains(role);
  }
}
