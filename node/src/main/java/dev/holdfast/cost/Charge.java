package dev.holdfast.cost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Requests, and what they cost.
///
/// @param bytesRead received from the store
public record Charge(long requests, double dollars, long bytesRead) {
  static final Charge NONE = new Charge(0, 0);

  /// Of requests that read nothing.
  public Charge(long requests, double dollars) {
    this(requests, dollars, 0);
  }

  public Charge plus(Charge other) {
    return new Charge(
        requests + other.requests, dollars + other.dollars, bytesRead + other.bytesRead);
  }

  boolean isNone() {
    return requests == 0 && bytesRead == 0;
  }

  /// What came since; all of it when it was begun anew.
  Charge since(Charge before) {
    return requests < before.requests
        ? this
        : new Charge(
            requests - before.requests,
            Math.max(0, dollars - before.dollars),
            Math.max(0, bytesRead - before.bytesRead));
  }

  static Charge of(Map<String, Charge> sums) {
    return sums.values().stream().reduce(NONE, Charge::plus);
  }

  /// As JSON, by name.
  public static ObjectNode json(Map<String, Charge> sums) {
    ObjectNode json = Json.object();
    sums.forEach((name, sum) ->
        json.putObject(name)
            .put("requests", sum.requests)
            .put("dollars", sum.dollars)
            .put("bytes_read", sum.bytesRead));
    return json;
  }

  /// What [#json] gave; what is no sum is nothing.
  public static SortedMap<String, Charge> read(JsonNode json) {
    SortedMap<String, Charge> sums = new TreeMap<>();
    for (Map.Entry<String, JsonNode> one : json.properties()) {
      long requests = Math.max(0, one.getValue().path("requests").asLong());
      double dollars = one.getValue().path("dollars").asDouble();
      long bytesRead = Math.max(0, one.getValue().path("bytes_read").asLong());
      sums.put(
          one.getKey(),
          new Charge(requests, Double.isFinite(dollars) ? Math.max(0, dollars) : 0, bytesRead));
    }
    return sums;
  }
}
