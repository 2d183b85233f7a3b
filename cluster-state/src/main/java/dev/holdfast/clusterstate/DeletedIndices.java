package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which indices the cluster knows to have deleted: the proof that a folder of blobs which belongs
/// to no index may go (decision 017). That a state does not have an index proves nothing: it may be
/// a state that has lost it.
///
/// A custom of the state, `{uuid: {"name", "version", "confirmed"?}}`. An entry goes when
/// [#REMEMBERED_MAX] newer ones have come.
public final class DeletedIndices {
  /// The kind of the custom.
  public static final String KIND = "deleted_indices";

  /// So many are remembered; the oldest go first, and what they left waits for a person's word.
  static final int REMEMBERED_MAX = 500;

  private DeletedIndices() {}

  /// Whether a user deleted that index, or a person said that it may go.
  public static boolean contains(ClusterState state, String uuid) {
    return entries(state.customs()).has(uuid);
  }

  /// Whether a person said that it may go.
  public static boolean isConfirmed(ClusterState state, String uuid) {
    return entries(state.customs()).path(uuid).path("confirmed").asBoolean();
  }

  /// The uuids of all.
  public static Set<String> uuids(ClusterState state) {
    Set<String> uuids = new HashSet<>();
    entries(state.customs()).fieldNames().forEachRemaining(uuids::add);
    return uuids;
  }

  /// A person says that what lies in the store of those may go.
  public static ClusterState confirm(ClusterState state, Collection<String> uuids) {
    ObjectNode entries = entries(state.customs()).deepCopy();
    for (String uuid : uuids) {
      ObjectNode entry =
          entries.path(uuid) instanceof ObjectNode known ? known : entry("", state.version());
      entries.set(uuid, entry.put("confirmed", true));
    }
    return state.withCustom(KIND, entries);
  }

  /// Indices that were deleted, and of which something was kept until now: they are as good as
  /// deleted a moment ago. What the state has is none of them.
  ///
  /// @param names by uuid
  public static ClusterState again(ClusterState state, Map<String, String> names) {
    Set<String> there = new HashSet<>();
    state.indices().values().forEach(index -> there.add(index.id().uuid()));
    SortedMap<String, JsonNode> customs = state.customs();
    for (Map.Entry<String, String> one : names.entrySet()) {
      if (!there.contains(one.getKey())) {
        customs = after(customs, new IndexId(one.getValue(), one.getKey()), state.version());
      }
    }
    return customs.equals(state.customs()) ? state : state.withCustoms(customs);
  }

  /// Nothing of those is in the store any more.
  public static ClusterState without(ClusterState state, Collection<String> uuids) {
    ObjectNode entries = entries(state.customs()).deepCopy();
    entries.remove(uuids);
    return entries.equals(entries(state.customs())) ? state : state.withCustom(KIND, entries);
  }

  /// The customs after an index was deleted.
  static SortedMap<String, JsonNode> after(
      SortedMap<String, JsonNode> customs, IndexId deleted, long version) {
    ObjectNode entries = entries(customs).deepCopy();
    entries.set(deleted.uuid(), entry(deleted.name(), version));
    if (entries.size() > REMEMBERED_MAX) {
      Optional<String> oldest =
          entries.properties().stream()
              .min(Comparator.comparingLong(entry -> entry.getValue().path("version").asLong()))
              .map(Map.Entry::getKey);
      oldest.ifPresent(entries::remove);
    }
    SortedMap<String, JsonNode> changed = new TreeMap<>(customs);
    changed.put(KIND, entries);
    return changed;
  }

  /// The version is text: numbers that were read again would be unequal to those that were put.
  private static ObjectNode entry(String name, long version) {
    return Json.object().put("name", name).put("version", Long.toString(version));
  }

  private static ObjectNode entries(SortedMap<String, JsonNode> customs) {
    return customs.get(KIND) instanceof ObjectNode entries ? entries : Json.object();
  }
}
