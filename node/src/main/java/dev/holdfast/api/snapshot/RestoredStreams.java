package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.StreamCreation;
import dev.holdfast.api.indices.alias.Aliases;
import dev.holdfast.api.indices.resolve.IndexNameRules;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.world.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The data streams of a snapshot: which of them a request means, and how they come into a cluster
/// state.
final class RestoredStreams {
  private static final String WRITES = "is_write_index";

  private final SnapshotManifest manifest;
  private final RestoreRequest request;
  private final SortedMap<String, DataStream> meant = new TreeMap<>();

  RestoredStreams(SnapshotManifest manifest, RestoreRequest request) {
    this.manifest = manifest;
    this.request = request;
  }

  /// Those that a snapshot has: it has every index of their documents.
  ///
  /// @param indices names of the indices that the snapshot has
  static List<DataStream> whole(Collection<DataStream> streams, Collection<String> indices) {
    return streams.stream()
        .filter(stream -> !stream.indices().isEmpty() && indices.containsAll(stream.indices()))
        .toList();
  }

  private List<String> names() {
    return whole(
            manifest.dataStreams().stream().map(this::inSnapshot).toList(),
            manifest.indices().keySet())
        .stream()
        .map(DataStream::name)
        .toList();
  }

  private DataStream inSnapshot(String name) {
    return new DataStream(
        name, (ObjectNode) manifest.about().path("data_streams").path(name).deepCopy());
  }

  /// Takes those that a name or pattern means.
  ///
  /// @return names of their indices; empty when it means no stream
  Set<String> take(String expression) {
    Set<String> indices = new TreeSet<>();
    for (String name : NamedSnapshots.matching(names(), List.of(expression))) {
      DataStream stream = inSnapshot(name);
      meant.put(name, stream);
      indices.addAll(behind(stream));
    }
    return indices;
  }

  /// Leaves those out again that a name or pattern means.
  ///
  /// @return names of their indices
  Set<String> leave(String expression) {
    Set<String> indices = new TreeSet<>();
    for (String name : NamedSnapshots.matching(names(), List.of(expression))) {
      meant.remove(name);
      indices.addAll(behind(inSnapshot(name)));
    }
    return indices;
  }

  /// Whether an index of the snapshot is behind one of those that are restored.
  boolean isBehindOne(String index) {
    return meant.values().stream().anyMatch(stream -> behind(stream).contains(index));
  }

  /// Of both components, as far as the snapshot has them.
  private Set<String> behind(DataStream stream) {
    Set<String> indices = new TreeSet<>();
    for (Component component : Component.values()) {
      indices.addAll(stream.indices(component));
    }
    indices.retainAll(manifest.indices().keySet());
    return indices;
  }

  /// A state with them, which has their indices already. One none of whose indices is restored
  /// stays away.
  ///
  /// @param restored names that those indices have in the snapshot
  /// @throws dev.holdfast.world.Refusal for a name that is bad or in use
  ClusterState addedTo(ClusterState state, Set<String> restored) {
    ClusterState changed = state;
    for (DataStream stream : meant.values()) {
      DataStream left = stream;
      for (Component component : Component.values()) {
        List<String> indices =
            stream.indices(component).stream()
                .filter(restored::contains)
                .map(request::renamedBacking)
                .toList();
        boolean isThere = !indices.isEmpty() || !stream.indices(component).isEmpty();
        left = isThere ? left.withIndices(component, indices) : left;
      }
      if (!left.indices().isEmpty()) {
        changed = added(changed, left);
      }
    }
    return changed;
  }

  private ClusterState added(ClusterState state, DataStream stream) {
    String name = request.renamed(stream.name());
    DataStream renamed = new DataStream(name, stream.json());
    ObjectNode loads = renamed(stream.json().path("write_loads").properties());
    ObjectNode aliases = request.hasAliases() ? aliases(state, stream, name) : Json.object();
    renamed =
        renamed
            .with("aliases", aliases.isEmpty() ? null : aliases)
            .with("write_loads", loads.isEmpty() ? null : loads);
    DataStream there = DataStreams.of(state, name);
    if (!renamed.equals(there)) {
      StreamCreation.requireUsable(state, name);
    }
    return DataStreams.with(state, renamed);
  }

  /// The aliases of a stream under their new names. What another stream is written to by stays so.
  ///
  /// @throws dev.holdfast.world.Refusal for a name that is bad or in use
  private ObjectNode aliases(ClusterState state, DataStream stream, String name) {
    ObjectNode aliases = Json.object();
    for (var one : stream.aliases().properties()) {
      String alias = request.renamedAlias(one.getKey());
      IndexNameRules.requireAliasName(alias);
      if (alias.equals(name)) {
        throw Aliases.nameInUse(alias);
      }
      Aliases.requireNoneOfIndices(state, alias);
      ObjectNode options = one.getValue().deepCopy();
      boolean isWritten =
          DataStreams.aliased(state, alias).stream()
              .filter(other -> !other.name().equals(name))
              .anyMatch(other -> other.aliases().path(alias).path(WRITES).asBoolean(false));
      if (isWritten && options.path(WRITES).asBoolean(false)) {
        options.put(WRITES, false);
      }
      aliases.set(alias, options);
    }
    return aliases;
  }

  private ObjectNode renamed(
      Set<? extends Map.Entry<String, ? extends com.fasterxml.jackson.databind.JsonNode>> members) {
    ObjectNode renamed = Json.object();
    members.forEach(one -> renamed.set(request.renamedBacking(one.getKey()), one.getValue()));
    return renamed;
  }
}
