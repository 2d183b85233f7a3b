package dev.holdfast.api.indices.alias;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// One of the actions of `POST /_aliases`, as its result is told: actions that find no alias to
/// remove fail alone, as long as others do something.
///
/// @param kind `add`, `remove` or `remove_index`
/// @param index names and patterns between commas
/// @param mustExist whether the request said that there must be something to remove: then it is
///   looked for after the actions before, and the whole request fails without it
record AliasAction(
    String kind, String index, List<String> aliases, boolean mustExist, List<AliasChange> changes) {

  /// Actions that find nothing to remove in a state, which are left out: as they are, whatever
  /// others are equal to them.
  ///
  /// @throws Refusal `aliases_not_found_exception` when these are all
  static Set<AliasAction> failed(ClusterState state, List<AliasAction> actions, AliasWork work) {
    Set<AliasAction> failed = Collections.newSetFromMap(new IdentityHashMap<>());
    for (AliasAction one : actions) {
      if (one.isMissing(state, work)) {
        failed.add(one);
      }
    }
    if (failed.size() == actions.size()) {
      throw missing(actions.stream().flatMap(one -> one.aliases.stream()).toList());
    }
    return failed;
  }

  /// The results where some of the actions failed; empty when all do something.
  static ArrayNode results(
      ClusterState state, List<AliasAction> actions, Set<AliasAction> failed, AliasWork work) {
    ArrayNode results = Json.MAPPER.createArrayNode();
    if (!failed.isEmpty()) {
      actions.forEach(one -> results.add(one.result(state, failed.contains(one), work)));
    }
    return results;
  }

  static Refusal missing(List<String> aliases) {
    return new Refusal(
            ErrorType.ALIASES_NOT_FOUND, "aliases [" + String.join(", ", aliases) + "] missing")
        .with("resource.type", "aliases")
        .with("resource.id", aliases.size() == 1 ? aliases.getFirst() : aliases);
  }

  private boolean isMissing(ClusterState state, AliasWork work) {
    return kind.equals("remove")
        && !mustExist
        && !new AliasChange.Remove(index, aliases, false).finds(state, work);
  }

  private ObjectNode result(ClusterState state, boolean isMissing, AliasWork work) {
    work.match(index, state.indices().size());
    work.add((long) AliasWork.STEPS_A_NAME * aliases.size());
    ObjectNode result = Json.object();
    ObjectNode action = result.putObject("action").put("type", kind);
    ArrayNode indices = action.putArray("indices");
    for (IndexMetadata each : IndexExpression.resolve(state, index, AliasChange.TARGETS)) {
      work.add(AliasWork.STEPS_A_NAME);
      indices.add(each.id().name());
    }
    ArrayNode names = action.putArray("aliases");
    aliases.forEach(names::add);
    result.put("status", isMissing ? 404 : 200);
    if (isMissing) {
      Refusal refusal = missing(aliases);
      ObjectNode error = result.putObject("error");
      error.put("type", refusal.type().type()).put("reason", refusal.reason());
      refusal.metadata().forEach(error::putPOJO);
    }
    return result;
  }
}
