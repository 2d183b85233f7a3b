package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// The cluster's metadata at one version. Immutable.
///
/// @param term of the leader that made it
/// @param version grows by one with each update, never reused
/// @param clusterUuid made once, with the first state
/// @param settings persistent cluster settings, flat
/// @param indices by name
/// @param customs other metadata by kind (`index_templates`, `pipelines`, …): open for later APIs,
///   values immutable
public record ClusterState(
    long term,
    long version,
    String clusterUuid,
    SortedMap<String, Object> settings,
    SortedMap<String, IndexMetadata> indices,
    SortedMap<String, JsonNode> customs) {

  public ClusterState {
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    indices = Collections.unmodifiableSortedMap(new TreeMap<>(indices));
    customs = Collections.unmodifiableSortedMap(new TreeMap<>(customs));
  }

  public ClusterState withIndex(IndexMetadata index) {
    SortedMap<String, IndexMetadata> changed = new TreeMap<>(indices);
    changed.put(index.id().name(), index);
    return new ClusterState(term, version, clusterUuid, settings, changed, customs);
  }

  public ClusterState withoutIndex(String name) {
    SortedMap<String, IndexMetadata> changed = new TreeMap<>(indices);
    changed.remove(name);
    return new ClusterState(term, version, clusterUuid, settings, changed, customs);
  }

  public ClusterState withSettings(SortedMap<String, Object> changed) {
    return new ClusterState(term, version, clusterUuid, changed, indices, customs);
  }

  public ClusterState withCustom(String kind, JsonNode value) {
    SortedMap<String, JsonNode> changed = new TreeMap<>(customs);
    changed.put(kind, value);
    return new ClusterState(term, version, clusterUuid, settings, indices, changed);
  }
}
