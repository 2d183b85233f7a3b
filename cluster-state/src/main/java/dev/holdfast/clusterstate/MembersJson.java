package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Members and assignments of a cluster state as JSON.
final class MembersJson {
  private MembersJson() {}

  static ObjectNode members(SortedMap<String, Member> members) {
    ObjectNode json = Json.object();
    members.forEach((id, member) -> json.set(id, member(member)));
    return json;
  }

  static SortedMap<String, Member> members(JsonNode json) {
    SortedMap<String, Member> members = new TreeMap<>();
    json.properties().forEach(e -> members.put(e.getKey(), member(e.getKey(), e.getValue())));
    return members;
  }

  static ObjectNode member(Member member) {
    ObjectNode json = Json.object();
    json.put("name", member.name()).put("address", member.address());
    ArrayNode roles = json.putArray("roles");
    member.roles().forEach(role -> roles.add(role.label()));
    json.put("heap_bytes", member.heapBytes()).put("start_millis", member.startMillis());
    json.put("draining", member.isDraining());
    return json;
  }

  static Member member(String id, JsonNode json) {
    SortedSet<Role> roles = new TreeSet<>();
    json.path("roles").forEach(r -> roles.add(Role.valueOf(r.asText().toUpperCase(Locale.ROOT))));
    return new Member(
        id,
        json.path("name").asText(),
        json.path("address").asText(),
        roles,
        json.path("heap_bytes").asLong(),
        json.path("start_millis").asLong(),
        json.path("draining").asBoolean());
  }

  static ObjectNode assignments(SortedMap<String, List<ShardAssignment>> assignments) {
    ObjectNode json = Json.object();
    assignments.forEach((uuid, ofIndex) -> json.set(uuid, ofIndex(ofIndex)));
    return json;
  }

  static SortedMap<String, List<ShardAssignment>> assignments(JsonNode json) {
    return apply(new TreeMap<>(), json);
  }

  static ObjectNode changedAssignments(
      SortedMap<String, List<ShardAssignment>> before,
      SortedMap<String, List<ShardAssignment>> now) {
    ObjectNode json = Json.object();
    before.keySet().stream().filter(uuid -> !now.containsKey(uuid)).forEach(json::putNull);
    now.forEach((uuid, ofIndex) -> {
      if (!ofIndex.equals(before.get(uuid))) {
        json.set(uuid, ofIndex(ofIndex));
      }
    });
    return json;
  }

  static SortedMap<String, List<ShardAssignment>> apply(
      SortedMap<String, List<ShardAssignment>> before, JsonNode changes) {
    SortedMap<String, List<ShardAssignment>> after = new TreeMap<>(before);
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      if (change.getValue().isNull()) {
        after.remove(change.getKey());
      } else {
        List<ShardAssignment> ofIndex = new ArrayList<>();
        change.getValue().forEach(json -> ofIndex.add(assignment(json)));
        after.put(change.getKey(), List.copyOf(ofIndex));
      }
    }
    return after;
  }

  private static ArrayNode ofIndex(List<ShardAssignment> ofIndex) {
    ArrayNode json = Json.MAPPER.createArrayNode();
    ofIndex.forEach(assignment -> json.add(assignment(assignment)));
    return json;
  }

  private static ObjectNode assignment(ShardAssignment assignment) {
    ObjectNode json = Json.object();
    json.put("owner", assignment.owner()).put("target", assignment.target());
    ObjectNode copies = json.putObject("copies");
    assignment
        .copies()
        .forEach((member, copy) -> copies.put(member, copy.name().toLowerCase(Locale.ROOT)));
    return json;
  }

  private static ShardAssignment assignment(JsonNode json) {
    SortedMap<String, ShardAssignment.Copy> copies = new TreeMap<>();
    json.path("copies")
        .properties()
        .forEach(e ->
            copies.put(
                e.getKey(),
                ShardAssignment.Copy.valueOf(e.getValue().asText().toUpperCase(Locale.ROOT))));
    return new ShardAssignment(json.path("owner").asText(), json.path("target").asText(), copies);
  }
}
