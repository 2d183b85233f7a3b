package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.template.MatchingTemplates;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.util.List;

/// Whether a write may create the index it names: the cluster setting `action.auto_create_index`.
final class AutoCreation {
  private static final String SETTING = "action.auto_create_index";

  private AutoCreation() {}

  /// @throws Refusal `index_not_found_exception` when it may not
  static void require(ClusterState state, String name) {
    String winner = MatchingTemplates.winner(state, name);
    ObjectNode template =
        winner == null
            ? null
            : MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE).get(winner);
    if (template != null && template.has("allow_auto_create")) {
      if (!template.path("allow_auto_create").asBoolean()) {
        throw refusal(name, "and composable template [" + winner + "] forbids index auto creation");
      }
      return;
    }
    String allowed = setting(state);
    if (allowed.isEmpty() || allowed.equals("true")) {
      return;
    }
    if (allowed.equals("false")) {
      throw refusal(name, "and [" + SETTING + "] is [false]");
    }
    for (String rule : List.of(allowed.split(","))) {
      boolean forbids = rule.startsWith("-");
      String pattern = forbids || rule.startsWith("+") ? rule.substring(1) : rule;
      if (Wildcards.matches(pattern, name)) {
        if (forbids) {
          throw refusal(
              name,
              "and ["
                  + SETTING
                  + "] contains ["
                  + rule
                  + "] which forbids automatic creation of the index");
        }
        return;
      }
    }
    throw refusal(name, "and [" + SETTING + "] ([" + allowed + "]) doesn't match");
  }

  private static String setting(ClusterState state) {
    Object kept = state.settings().get(SETTING);
    var transients = state.customs().get("transient_settings");
    if (transients != null && transients.has(SETTING)) {
      return transients.path(SETTING).asText();
    }
    return kept instanceof List<?> list
        ? String.join(",", list.stream().map(Object::toString).toList())
        : kept == null ? "" : kept.toString();
  }

  private static Refusal refusal(String name, String why) {
    Refusal plain = Refusal.indexNotFound(name);
    Refusal refusal = new Refusal(plain.type(), plain.reason() + " " + why);
    plain
        .metadata()
        .forEach((key, value) -> {
          var _ = refusal.with(key, value);
        });
    return refusal;
  }
}
