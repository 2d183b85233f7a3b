package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `set_priority`: sets `index.priority`, or takes it away.
final class SetPriorityAction implements LifecycleAction {
  @Override
  public String name() {
    return "set_priority";
  }

  @Override
  public ObjectNode read(JsonObject body) {
    ObjectNode kept = Json.object();
    if (!body.has("priority")) {
      throw Refusal.badArgument("Required [priority]");
    }
    if (body.orNull("priority") == null) {
      return kept.putNull("priority");
    }
    int priority = body.integer("priority", 0);
    if (priority < 0) {
      throw Refusal.badArgument("[priority] must be 0 or greater");
    }
    return kept.put("priority", priority);
  }

  @Override
  public List<Step> steps(ObjectNode body) {
    String priority = body.hasNonNull("priority") ? body.path("priority").asText() : null;
    return List.of(
        new Step(
            "set_priority", context -> Outcome.done(context.setting("index.priority", priority))));
  }
}
