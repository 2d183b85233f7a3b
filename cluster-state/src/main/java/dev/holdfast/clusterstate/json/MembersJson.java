package dev.holdfast.clusterstate.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.UnknownJson;
import dev.holdfast.clusterstate.UnknownStateMembers;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Members and assignments of a cluster state as JSON.
public final class MembersJson {
  private MembersJson() {}

  static ObjectNode members(SortedMap<String, Member> members, UnknownStateMembers unknown) {
    ObjectNode json = Json.object();
    members.forEach((id, member) ->
        json.set(id, unknown.members().getOrDefault(id, UnknownJson.NONE).addTo(member(member))));
    return json;
  }

  public static ObjectNode member(Member member) {
    ObjectNode json = Json.object();
    json.put("name", member.name()).put("address", member.address());
    ArrayNode roles = json.putArray("roles");
    member.roles().forEach(role -> roles.add(role.label()));
    json.put("heap_bytes", member.heapBytes()).put("start_millis", member.startMillis());
    json.put("draining", member.isDraining());
    Build build = member.build();
    json.putObject("build")
        .put("id", build.id())
        .put("oldest", build.oldest())
        .put("newest", build.newest());
    return json;
  }

  private static Build build(JsonNode json) {
    return json.isMissingNode()
        ? Build.UNKNOWN
        : new Build(
            json.path("id").asText(), json.path("oldest").asInt(), json.path("newest").asInt());
  }

  public static Member member(String id, JsonNode json) {
    NavigableSet<Role> roles = new TreeSet<>();
    json.path("roles").forEach(label -> Role.labelled(label.asText()).ifPresent(roles::add));
    return new Member(
        id,
        json.path("name").asText(),
        json.path("address").asText(),
        roles,
        json.path("heap_bytes").asLong(),
        json.path("start_millis").asLong(),
        json.path("draining").asBoolean(),
        build(json.path("build")));
  }

  static ObjectNode assignments(ClusterState state) {
    ObjectNode json = Json.object();
    state.assignments().keySet().forEach(uuid -> json.set(uuid, ofIndex(state, uuid)));
    return json;
  }

  static ObjectNode changedAssignments(ClusterState before, ClusterState now) {
    ObjectNode json = Json.object();
    before.assignments().keySet().stream()
        .filter(uuid -> !now.assignments().containsKey(uuid))
        .forEach(json::putNull);
    now.assignments()
        .forEach((uuid, ofIndex) -> {
          if (!ofIndex.equals(before.assignments().get(uuid))
              || !unknown(now, uuid).equals(unknown(before, uuid))) {
            json.set(uuid, ofIndex(now, uuid));
          }
        });
    return json;
  }

  static List<ShardAssignment> ofIndex(JsonNode json) {
    List<ShardAssignment> ofIndex = new ArrayList<>();
    json.forEach(each -> ofIndex.add(assignment(each)));
    return List.copyOf(ofIndex);
  }

  /// What this build does not know of the assignments of an index; empty when there is nothing.
  static List<UnknownJson> unknown(JsonNode json) {
    List<UnknownJson> unknown = new ArrayList<>();
    json.forEach(each -> unknown.add(UnknownJson.of(each, assignment(assignment(each)))));
    return unknown.stream().allMatch(UnknownJson::isNone) ? List.of() : List.copyOf(unknown);
  }

  private static List<UnknownJson> unknown(ClusterState state, String uuid) {
    return state.unknown().assignments().getOrDefault(uuid, List.of());
  }

  private static ArrayNode ofIndex(ClusterState state, String uuid) {
    ArrayNode json = Json.MAPPER.createArrayNode();
    List<UnknownJson> unknown = unknown(state, uuid);
    for (ShardAssignment assignment : state.assignments().getOrDefault(uuid, List.of())) {
      int number = json.size();
      json.add(
          (number < unknown.size() ? unknown.get(number) : UnknownJson.NONE)
              .addTo(assignment(assignment)));
    }
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
