package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `allocate`: sets the number of search copies. Which nodes they are on is not chosen by
/// attributes here, and noted as left out.
final class AllocateAction implements LifecycleAction {
  private static final String REPLICAS = "number_of_replicas";
  private static final String PER_NODE = "total_shards_per_node";
  private static final List<String> ATTRIBUTES = List.of("include", "exclude", "require");

  @Override
  public String name() {
    return "allocate";
  }

  @Override
  public ObjectNode read(JsonObject body) {
    ObjectNode kept = Json.object();
    if (body.has(REPLICAS)) {
      int replicas = body.integer(REPLICAS, 0);
      if (replicas < 0) {
        throw Refusal.badArgument("[" + REPLICAS + "] must be >= 0");
      }
      kept.put(REPLICAS, replicas);
    }
    if (body.has(PER_NODE)) {
      int shards = body.integer(PER_NODE, -1);
      if (shards < -1) {
        throw Refusal.badArgument("[" + PER_NODE + "] must be >= -1");
      }
      kept.put(PER_NODE, shards);
    }
    boolean hasAttributes = false;
    for (String kind : ATTRIBUTES) {
      JsonObject given = body.object(kind);
      ObjectNode attributes = kept.putObject(kind);
      if (given != null) {
        for (var one : given.node().properties()) {
          JsonNode value = one.getValue();
          if (!value.isTextual()) {
            throw Refusal.badArgument("[" + kind + "." + one.getKey() + "] must be a text");
          }
          attributes.set(one.getKey(), value);
        }
      }
      hasAttributes |= !attributes.isEmpty();
    }
    if (!hasAttributes && !kept.has(REPLICAS) && !kept.has(PER_NODE)) {
      throw Refusal.badArgument(
          "At least one of " + ATTRIBUTES + " must contain attributes for action [allocate]");
    }
    return kept;
  }

  @Override
  public List<Step> steps(ObjectNode body) {
    return List.of(
        new Step(
            "allocate",
            context ->
                body.has(REPLICAS)
                    ? Outcome.done(
                        context.setting("index.number_of_replicas", body.path(REPLICAS).asText()))
                    : Outcome.done()),
        new Step(
            "check-allocation",
            context ->
                hasPlaces(body)
                    ? Outcome.skipped(name(), "shards are not placed by attributes of nodes")
                    : Outcome.done()));
  }

  private static boolean hasPlaces(ObjectNode body) {
    return body.has(PER_NODE) || ATTRIBUTES.stream().anyMatch(kind -> !body.path(kind).isEmpty());
  }
}
