package dev.holdfast.api.indices.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import org.jspecify.annotations.Nullable;

/// How many threads the writes to an index keep busy, all its shards together.
///
/// @param allTime since its shards were opened where they are
/// @param recent an average that forgets
/// @param peak the largest such average
public record WriteLoads(double allTime, double recent, double peak) {
  /// Which of the three.
  public enum Metric {
    ALL_TIME,
    RECENT,
    PEAK
  }

  public double by(Metric metric) {
    return switch (metric) {
      case ALL_TIME -> allTime;
      case RECENT -> recent;
      case PEAK -> peak;
    };
  }

  /// As a stream keeps it of its indices that are written to no more.
  public ObjectNode json() {
    return Json.object().put("all_time", allTime).put("recent", recent).put("peak", peak);
  }

  /// @param json null for an index of which nothing is known
  static @Nullable WriteLoads of(@Nullable JsonNode json) {
    return json == null
        ? null
        : new WriteLoads(
            json.path("all_time").asDouble(),
            json.path("recent").asDouble(),
            json.path("peak").asDouble());
  }
}
