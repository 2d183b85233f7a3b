package dev.holdfast.clusterstate.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.clusterstate.UnknownJson;
import dev.holdfast.clusterstate.UnknownStateMembers;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Cluster state as JSON, whole or as the difference from the version before.
///
/// A delta names what changed: `{"term", "version", "base", "settings"?, "indices": {name: metadata
/// | null}, "customs": {kind: value | null}, "members"?, "assignments"?: {index uuid: […] |
/// null}}`. A member of the state itself that a later build adds is whole wherever it stands, also
/// in a delta, and null where it is removed: so builds that do not know it can keep it. What is
/// added anywhere below is kept with the index, member or assignment that it belongs to.
public final class StateJson {
  private StateJson() {}

  private static final Set<String> KNOWN =
      Set.of(
          "kind",
          "term",
          "version",
          "base",
          "uuid",
          "settings",
          "indices",
          "customs",
          "members",
          "assignments");

  public static ObjectNode full(ClusterState state) {
    ObjectNode json = Json.object();
    json.put("term", state.term()).put("version", state.version()).put("uuid", state.clusterUuid());
    json.set("settings", settings(state.settings()));
    ObjectNode indices = json.putObject("indices");
    state.indices().forEach((name, index) -> indices.set(name, whole(state, index)));
    ObjectNode customs = json.putObject("customs");
    state.customs().forEach(customs::set);
    json.set("members", MembersJson.members(state.members(), state.unknown()));
    json.set("assignments", MembersJson.assignments(state));
    return state.unknown().state().addTo(json);
  }

  public static ClusterState full(JsonNode json) {
    return apply(ClusterState.empty(json.path("uuid").asText()), json);
  }

  public static ObjectNode delta(ClusterState before, ClusterState now) {
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
          if (!index.equals(before.indices().get(name))
              || !unknown(now, index).equals(unknown(before, index))) {
            indices.set(name, whole(now, index));
          }
        });
    json.set("customs", changed(before.customs(), now.customs()));
    if (!before.members().equals(now.members())
        || !before.unknown().members().equals(now.unknown().members())) {
      json.set("members", MembersJson.members(now.members(), now.unknown()));
    }
    if (!before.assignments().equals(now.assignments())
        || !before.unknown().assignments().equals(now.unknown().assignments())) {
      json.set("assignments", MembersJson.changedAssignments(before, now));
    }
    json.setAll(changed(unknown(before), unknown(now)));
    return json;
  }

  private static ObjectNode changed(
      SortedMap<String, JsonNode> before, SortedMap<String, JsonNode> now) {
    ObjectNode json = Json.object();
    before.keySet().stream().filter(k -> !now.containsKey(k)).forEach(json::putNull);
    now.forEach((kind, value) -> {
      if (!value.equals(before.get(kind))) {
        json.set(kind, value);
      }
    });
    return json;
  }

  private static void apply(SortedMap<String, JsonNode> before, JsonNode changes) {
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      if (change.getValue().isNull()) {
        before.remove(change.getKey());
      } else {
        before.put(change.getKey(), change.getValue());
      }
    }
  }

  public static ClusterState apply(ClusterState before, JsonNode delta) {
    SortedMap<String, IndexMetadata> indices = new TreeMap<>(before.indices());
    SortedMap<String, UnknownJson> ofIndices = new TreeMap<>(before.unknown().indices());
    for (Map.Entry<String, JsonNode> change : delta.path("indices").properties()) {
      if (change.getValue().isNull()) {
        indices.remove(change.getKey());
      } else {
        IndexMetadata index = index(change.getKey(), change.getValue());
        indices.put(change.getKey(), index);
        ofIndices.put(index.id().uuid(), UnknownJson.of(change.getValue(), index(index)));
      }
    }
    SortedMap<String, JsonNode> customs = new TreeMap<>(before.customs());
    apply(customs, delta.path("customs"));
    SortedMap<String, Member> members = new TreeMap<>(before.members());
    SortedMap<String, UnknownJson> ofMembers = new TreeMap<>(before.unknown().members());
    if (delta.has("members")) {
      members.clear();
      for (Map.Entry<String, JsonNode> member : delta.path("members").properties()) {
        Member known = MembersJson.member(member.getKey(), member.getValue());
        members.put(known.id(), known);
        ofMembers.put(known.id(), UnknownJson.of(member.getValue(), MembersJson.member(known)));
      }
    }
    SortedMap<String, List<ShardAssignment>> assignments = new TreeMap<>(before.assignments());
    SortedMap<String, List<UnknownJson>> ofAssignments =
        new TreeMap<>(before.unknown().assignments());
    for (Map.Entry<String, JsonNode> change : delta.path("assignments").properties()) {
      if (change.getValue().isNull()) {
        assignments.remove(change.getKey());
      } else {
        assignments.put(change.getKey(), MembersJson.ofIndex(change.getValue()));
        ofAssignments.put(change.getKey(), MembersJson.unknown(change.getValue()));
      }
    }
    return new ClusterState(
        delta.path("term").asLong(),
        delta.path("version").asLong(),
        before.clusterUuid(),
        delta.has("settings") ? settings(delta.path("settings")) : before.settings(),
        indices,
        customs,
        members,
        assignments,
        new UnknownStateMembers(ofState(before, delta), ofIndices, ofMembers, ofAssignments));
  }

  private static UnknownJson ofState(ClusterState before, JsonNode delta) {
    SortedMap<String, JsonNode> members = unknown(before);
    for (Map.Entry<String, JsonNode> change : delta.properties()) {
      if (!KNOWN.contains(change.getKey())) {
        apply(members, Json.object().set(change.getKey(), change.getValue()));
      }
    }
    if (members.isEmpty()) {
      return UnknownJson.NONE;
    }
    ObjectNode json = Json.object();
    json.setAll(members);
    return new UnknownJson(json, new TreeMap<>());
  }

  /// An index with what newer builds added to it.
  static ObjectNode whole(ClusterState state, IndexMetadata index) {
    return unknown(state, index).addTo(index(index));
  }

  private static UnknownJson unknown(ClusterState state, IndexMetadata index) {
    return state.unknown().indices().getOrDefault(index.id().uuid(), UnknownJson.NONE);
  }

  private static SortedMap<String, JsonNode> unknown(ClusterState state) {
    SortedMap<String, JsonNode> members = new TreeMap<>();
    state
        .unknown()
        .state()
        .members()
        .properties()
        .forEach(member -> members.put(member.getKey(), member.getValue()));
    return members;
  }

  /// An index as the state keeps it.
  public static ObjectNode index(IndexMetadata index) {
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
      ObjectNode from =
          json.putObject("origin").put("uuid", origin.uuid()).put("shards", origin.shards());
      SnapshotReference snapshot = origin.snapshot();
      if (snapshot != null) {
        from.putObject("snapshot")
            .put("repository", snapshot.repository())
            .put("name", snapshot.snapshot())
            .put("uuid", snapshot.uuid());
      }
      LentBlobs lent = origin.lent();
      if (lent != null) {
        ArrayNode shards =
            from.putObject("lent").put("manifest", lent.manifest()).putArray("shards");
        lent.shards().forEach(shards::add);
      }
    }
    if (!index.customs().isEmpty()) {
      json.set("customs", index.customs());
    }
    IndexSplit split = index.split();
    if (split != null) {
      json.set("split", SplitJson.written(split));
    }
    return json;
  }

  /// What [#index(IndexMetadata)] wrote.
  public static IndexMetadata index(String name, JsonNode json) {
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
        json.has("origin") ? origin(json.path("origin")) : null,
        json.get("customs") instanceof ObjectNode customs ? customs : Json.object(),
        json.has("split") ? SplitJson.read(json.path("split")) : null);
  }

  private static IndexOrigin origin(JsonNode json) {
    JsonNode snapshot = json.path("snapshot");
    return new IndexOrigin(
        json.path("uuid").asText(),
        json.path("shards").asInt(),
        snapshot.isObject()
            ? new SnapshotReference(
                snapshot.path("repository").asText(),
                snapshot.path("name").asText(),
                snapshot.path("uuid").asText())
            : null,
        lent(json.path("lent")));
  }

  private static @Nullable LentBlobs lent(JsonNode json) {
    SortedSet<Integer> shards = new TreeSet<>();
    json.path("shards").forEach(shard -> shards.add(shard.asInt()));
    return shards.isEmpty() ? null : new LentBlobs(json.path("manifest").asText(), shards);
  }

  static ObjectNode settings(SortedMap<String, Object> settings) {
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
