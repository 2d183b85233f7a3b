package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Cluster state as JSON, whole or as the difference from the version before.
///
/// A delta names what changed: `{"term", "version", "base", "settings"?, "indices": {name: metadata
/// | null}, "customs": {kind: value | null}, "members"?, "assignments"?: {index uuid: […] |
/// null}}`.
final class StateJson {
  private StateJson() {}

  static ObjectNode full(ClusterState state) {
    ObjectNode json = Json.object();
    json.put("term", state.term()).put("version", state.version()).put("uuid", state.clusterUuid());
    json.set("settings", settings(state.settings()));
    ObjectNode indices = json.putObject("indices");
    state.indices().forEach((name, index) -> indices.set(name, index(index)));
    ObjectNode customs = json.putObject("customs");
    state.customs().forEach(customs::set);
    json.set("members", MembersJson.members(state.members()));
    json.set("assignments", MembersJson.assignments(state.assignments()));
    return json;
  }

  static ClusterState full(JsonNode json) {
    SortedMap<String, IndexMetadata> indices = new TreeMap<>();
    json.path("indices")
        .properties()
        .forEach(e -> indices.put(e.getKey(), index(e.getKey(), e.getValue())));
    SortedMap<String, JsonNode> customs = new TreeMap<>();
    json.path("customs").properties().forEach(e -> customs.put(e.getKey(), e.getValue()));
    return new ClusterState(
        json.path("term").asLong(),
        json.path("version").asLong(),
        json.path("uuid").asText(),
        settings(json.path("settings")),
        indices,
        customs,
        MembersJson.members(json.path("members")),
        MembersJson.assignments(json.path("assignments")));
  }

  static ObjectNode delta(ClusterState before, ClusterState now) {
    ObjectNode json = Json.object();
    json.put("term", now.term()).put("version", now.version()).put("base", before.version());
    if (!before.settings().equals(now.settings())) {
      json.set("settings", settings(now.settings()));
    }
    ObjectNode indices = json.putObject("indices");
    before.indices().keySet().stream()
        .filter(n -> !now.indices().containsKey(n))
        .forEach(indices::putNull);
    now.indices()
        .forEach((name, index) -> {
          if (!index.equals(before.indices().get(name))) {
            indices.set(name, index(index));
          }
        });
    ObjectNode customs = json.putObject("customs");
    before.customs().keySet().stream()
        .filter(k -> !now.customs().containsKey(k))
        .forEach(customs::putNull);
    now.customs()
        .forEach((kind, value) -> {
          if (!value.equals(before.customs().get(kind))) {
            customs.set(kind, value);
          }
        });
    if (!before.members().equals(now.members())) {
      json.set("members", MembersJson.members(now.members()));
    }
    if (!before.assignments().equals(now.assignments())) {
      json.set(
          "assignments", MembersJson.changedAssignments(before.assignments(), now.assignments()));
    }
    return json;
  }

  static ClusterState apply(ClusterState before, JsonNode delta) {
    SortedMap<String, IndexMetadata> indices = new TreeMap<>(before.indices());
    delta
        .path("indices")
        .properties()
        .forEach(e -> {
          if (e.getValue().isNull()) {
            indices.remove(e.getKey());
          } else {
            indices.put(e.getKey(), index(e.getKey(), e.getValue()));
          }
        });
    SortedMap<String, JsonNode> customs = new TreeMap<>(before.customs());
    delta
        .path("customs")
        .properties()
        .forEach(e -> {
          if (e.getValue().isNull()) {
            customs.remove(e.getKey());
          } else {
            customs.put(e.getKey(), e.getValue());
          }
        });
    return new ClusterState(
        delta.path("term").asLong(),
        delta.path("version").asLong(),
        before.clusterUuid(),
        delta.has("settings") ? settings(delta.path("settings")) : before.settings(),
        indices,
        customs,
        delta.has("members") ? MembersJson.members(delta.path("members")) : before.members(),
        MembersJson.apply(before.assignments(), delta.path("assignments")));
  }

  static ObjectNode index(IndexMetadata index) {
    ObjectNode json = Json.object();
    json.put("uuid", index.id().uuid()).put("shards", index.shards()).put("open", index.isOpen());
    json.set("settings", settings(index.settings()));
    json.put("settings_version", index.settingsVersion());
    json.set("mapping", index.mapping());
    json.put("mapping_version", index.mappingVersion());
    ObjectNode aliases = json.putObject("aliases");
    index.aliases().forEach(aliases::set);
    ArrayNode terms = json.putArray("primary_terms");
    index.primaryTerms().forEach(terms::add);
    IndexOrigin origin = index.origin();
    if (origin != null) {
      json.putObject("origin").put("uuid", origin.uuid()).put("shards", origin.shards());
    }
    return json;
  }

  static IndexMetadata index(String name, JsonNode json) {
    SortedMap<String, ObjectNode> aliases = new TreeMap<>();
    json.path("aliases")
        .properties()
        .forEach(e -> aliases.put(e.getKey(), (ObjectNode) e.getValue()));
    List<Long> terms = new ArrayList<>();
    json.path("primary_terms").forEach(term -> terms.add(term.asLong()));
    return new IndexMetadata(
        new IndexId(name, json.path("uuid").asText()),
        json.path("shards").asInt(),
        settings(json.path("settings")),
        json.path("settings_version").asLong(),
        (ObjectNode) json.path("mapping"),
        json.path("mapping_version").asLong(),
        aliases,
        json.path("open").asBoolean(),
        List.copyOf(terms),
        json.has("origin") ? origin(json.path("origin")) : null);
  }

  private static IndexOrigin origin(JsonNode json) {
    return new IndexOrigin(json.path("uuid").asText(), json.path("shards").asInt());
  }

  private static ObjectNode settings(SortedMap<String, Object> settings) {
    ObjectNode json = Json.object();
    settings.forEach((name, value) -> {
      if (value instanceof List<?> list) {
        ArrayNode array = json.putArray(name);
        list.forEach(v -> array.add(v.toString()));
      } else {
        json.put(name, value.toString());
      }
    });
    return json;
  }

  private static SortedMap<String, Object> settings(JsonNode json) {
    SortedMap<String, Object> settings = new TreeMap<>();
    json.properties()
        .forEach(e -> {
          if (e.getValue().isArray()) {
            List<String> list = new ArrayList<>();
            e.getValue().forEach(v -> list.add(v.asText()));
            settings.put(e.getKey(), List.copyOf(list));
          } else {
            settings.put(e.getKey(), e.getValue().asText());
          }
        });
    return settings;
  }
}
