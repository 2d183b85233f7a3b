package dev.holdfast.api.indices.alias;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/// `POST /_aliases`: several changes of aliases in one step.
public final class UpdateAliasesApi implements Api {
  private final Metadata metadata;
  private final Clock clock;

  public UpdateAliasesApi(Metadata metadata, Clock clock) {
    this.metadata = metadata;
    this.clock = clock;
  }

  @Override
  public Answer handle(ApiRequest request) throws InterruptedException {
    JsonObject body = JsonObject.of("aliases", request.body().kept());
    List<AliasAction> actions = new ArrayList<>();
    JsonNode given = body.required("actions");
    for (JsonNode action : given.isObject() ? List.of(given) : given) {
      if (!action.isObject()) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[aliases] failed to parse field [actions]",
            Refusal.badArgument("an action is an object, not " + JsonObject.token(action)));
      }
      if (action.size() != 1) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[aliases] failed to parse field [actions]",
            Refusal.badArgument(
                action.isEmpty()
                    ? "No operation declared on operation entry"
                    : "Too many operations declared on operation entry"));
      }
      for (Map.Entry<String, JsonNode> one : action.properties()) {
        JsonObject said = JsonObject.of("alias_action", one.getValue());
        for (JsonNode value : one.getValue()) {
          if (value.isNull()) {
            throw new Refusal(
                ErrorType.X_CONTENT_PARSE,
                "[aliases] failed to parse field [actions]",
                Refusal.badArgument("[" + one.getKey() + "] has no use for VALUE_NULL"));
          }
        }
        actions.add(read(one.getKey(), said));
      }
    }
    body.done();
    if (actions.isEmpty()) {
      throw Refusal.badArgument("No action specified");
    }
    AtomicReference<ArrayNode> results = new AtomicReference<>(Json.MAPPER.createArrayNode());
    metadata.update(
        "update-aliases",
        state -> {
          AliasWork work = new AliasWork();
          Set<AliasAction> failed = AliasAction.failed(state, actions, work);
          results.set(AliasAction.results(state, actions, failed, work));
          return changed(state, changes(actions, failed), work);
        });
    return done(results.get());
  }

  /// An index may give its name to an alias in one step: it goes first.
  private static List<AliasChange> changes(List<AliasAction> actions, Set<AliasAction> failed) {
    return actions.stream()
        .filter(action -> !failed.contains(action))
        .flatMap(action -> action.changes().stream())
        .sorted(Comparator.comparing(change -> !(change instanceof AliasChange.RemoveIndex)))
        .toList();
  }

  static void apply(Metadata metadata, List<AliasChange> changes) throws InterruptedException {
    metadata.update("update-aliases", state -> changed(state, changes, new AliasWork()));
  }

  private static ClusterState changed(
      ClusterState state, List<AliasChange> changes, AliasWork work) {
    ClusterState changed = state;
    for (AliasChange change : changes) {
      changed = change.apply(changed, work);
    }
    return changed;
  }

  static Answer done() {
    return done(Json.MAPPER.createArrayNode());
  }

  /// @param results of the actions where some failed, else empty
  private static Answer done(ArrayNode results) {
    ObjectNode answer = Json.object().put("acknowledged", true).put("errors", !results.isEmpty());
    if (!results.isEmpty()) {
      answer.set("action_results", results);
    }
    return Answer.of(200, answer);
  }

  private AliasAction read(String kind, JsonObject action) {
    List<AliasChange> changes = new ArrayList<>();
    boolean mustExist = false;
    List<String> indices = either(action, "index", "indices");
    String expression = String.join(",", indices);
    List<String> aliases = List.of();
    switch (kind) {
      case "add" -> {
        aliases =
            either(action, "alias", "aliases").stream()
                .map(alias -> DateMathNames.resolve(alias, clock.epochMillis()))
                .toList();
        requireNoMustExist(action);
        ObjectNode options = action.node().deepCopy();
        options.remove(List.of("index", "indices", "alias", "aliases"));
        ObjectNode read = Aliases.readAdded("alias_action", options);
        RequestMemory.add(JsonMemory.of(read) * aliases.size()); // written with each
        for (String alias : aliases) {
          changes.add(new AliasChange.Add(expression, alias, read));
        }
      }
      case "remove" -> {
        aliases = either(action, "alias", "aliases");
        mustExist = action.bool("must_exist", false);
        action.done();
        changes.add(new AliasChange.Remove(expression, aliases, mustExist));
      }
      case "remove_index" -> {
        requireNoMustExist(action);
        action.done();
        indices.forEach(index -> changes.add(new AliasChange.RemoveIndex(index)));
      }
      default ->
          throw new Refusal(
              ErrorType.X_CONTENT_PARSE, "[alias_action] unknown field [" + kind + "]");
    }
    return new AliasAction(kind, expression, aliases, mustExist, changes);
  }

  private static void requireNoMustExist(JsonObject action) {
    if (action.has("must_exist")) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[aliases] failed to parse field [actions]",
          Refusal.badArgument("[must_exist] is of [remove] only"));
    }
  }

  private static List<String> either(JsonObject action, String one, String several) {
    JsonNode single = action.node().get(one);
    if (single != null && !single.isTextual()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[aliases] failed to parse field [actions]",
          new Refusal(
              ErrorType.X_CONTENT_PARSE,
              "["
                  + action.context()
                  + "] "
                  + one
                  + " doesn't support values of type: "
                  + JsonObject.token(single)));
    }
    if (single != null && action.node().has(several)) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[aliases] failed to parse field [actions]",
          Refusal.badArgument("Only one of [" + one + "] and [" + several + "] can be said"));
    }
    List<String> values = new ArrayList<>(action.strings(one));
    values.addAll(action.strings(several));
    if (values.contains("")) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[aliases] failed to parse field [actions]",
          Refusal.badArgument("[" + one + "] can't be empty string"));
    }
    if (values.isEmpty()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[aliases] failed to parse field [actions]",
          Refusal.badArgument("One of [" + one + "] or [" + several + "] is required"));
    }
    return values;
  }
}
