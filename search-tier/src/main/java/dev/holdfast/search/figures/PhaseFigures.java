package dev.holdfast.search.figures;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;

/// How often something was done.
///
/// @param total times that it ended with a result
/// @param millis that these took together
/// @param current times that it has begun and not ended
/// @param failures times that it ended without a result
public record PhaseFigures(long total, long millis, long current, long failures) {
  public static final PhaseFigures NONE = new PhaseFigures(0, 0, 0, 0);

  PhaseFigures plus(PhaseFigures other) {
    return new PhaseFigures(
        total + other.total,
        millis + other.millis,
        current + other.current,
        failures + other.failures);
  }

  ObjectNode json() {
    return Json.object()
        .put("total", total)
        .put("millis", millis)
        .put("current", current)
        .put("failures", failures);
  }

  static PhaseFigures of(JsonNode json) {
    return new PhaseFigures(
        json.path("total").asLong(),
        json.path("millis").asLong(),
        json.path("current").asLong(),
        json.path("failures").asLong());
  }
}
