package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Members of a JSON object that a newer build wrote and this one does not know: kept, so that they
/// are there after this build has changed what is around them. Immutable.
///
/// @param members of the object itself
/// @param below of objects in it, by the name of the member that they are
public record UnknownJson(ObjectNode members, SortedMap<String, UnknownJson> below) {
  public static final UnknownJson NONE = new UnknownJson(Json.object(), new TreeMap<>());

  /// What `written` has more than `known`, which was made from what this build read of it.
  public static UnknownJson of(JsonNode written, JsonNode known) {
    ObjectNode members = Json.object();
    SortedMap<String, UnknownJson> below = new TreeMap<>();
    for (Map.Entry<String, JsonNode> member : written.properties()) {
      JsonNode read = known.get(member.getKey());
      if (read == null) {
        members.set(member.getKey(), member.getValue());
      } else if (!read.equals(member.getValue())
          && read.isObject()
          && member.getValue().isObject()) {
        UnknownJson inside = of(member.getValue(), read);
        if (!inside.isNone()) {
          below.put(member.getKey(), inside);
        }
      }
    }
    return members.isEmpty() && below.isEmpty() ? NONE : new UnknownJson(members, below);
  }

  public boolean isNone() {
    return members.isEmpty() && below.isEmpty();
  }

  /// Adds them. Objects that are gone take what was in them along.
  ///
  /// @return `json` itself
  public ObjectNode addTo(ObjectNode json) {
    members.properties().forEach(member -> json.putIfAbsent(member.getKey(), member.getValue()));
    below.forEach((name, inside) -> {
      if (json.get(name) instanceof ObjectNode there) {
        ObjectNode _ = inside.addTo(there);
      }
    });
    return json;
  }
}
