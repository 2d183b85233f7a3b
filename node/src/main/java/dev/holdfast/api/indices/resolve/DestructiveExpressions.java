package dev.holdfast.api.indices.resolve;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `action.destructive_requires_name`: what deletes, closes, opens or blocks indices must name
/// them, while it is set.
public final class DestructiveExpressions {
  public static final String SETTING = "action.destructive_requires_name";

  private DestructiveExpressions() {}

  /// @param expression of indices, as in the path; empty for all
  /// @throws Refusal `illegal_argument_exception` for patterns and `_all`
  public static void requireNames(ClusterState state, String expression) {
    if (!"true".equals(String.valueOf(state.setting(SETTING)))) {
      return;
    }
    List<String> parts = List.of(expression.split(",", -1));
    boolean isByPattern =
        parts.stream().anyMatch(part -> part.isEmpty() || part.equals("_all") || isPattern(part));
    if (isByPattern) {
      throw Refusal.badArgument("Wildcard expressions or all indices are not allowed");
    }
  }

  /// What is left out of the others may be named by a pattern.
  private static boolean isPattern(String part) {
    return part.indexOf('*') >= 0 && !part.startsWith("-");
  }
}
