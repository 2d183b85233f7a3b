package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import java.util.List;

/// `readonly`: the index takes no more writes.
final class ReadonlyAction implements LifecycleAction {
  @Override
  public String name() {
    return "readonly";
  }

  @Override
  public ObjectNode read(JsonObject body) {
    return Json.object();
  }

  @Override
  public List<Step> steps(ObjectNode body) {
    return List.of(WriteIndexCheck.STEP, TimeSeriesEnd.ofStream(name()), WriteIndexCheck.READ_ONLY);
  }
}
