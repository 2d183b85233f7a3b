package dev.holdfast.search.copy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Mappings of indices, made once a version.
public final class SearchMappings {
  private final MappingFactory factory;
  private final ConcurrentMap<IndexId, Made> made = new ConcurrentHashMap<>();

  public SearchMappings(MappingFactory factory) {
    this.factory = factory;
  }

  /// A mapping and the versions of the metadata it was made from.
  private record Made(long mappingVersion, long settingsVersion, Mapping mapping) {
    boolean isOf(IndexMetadata index) {
      return mappingVersion == index.mappingVersion() && settingsVersion == index.settingsVersion();
    }
  }

  public MappingFactory factory() {
    return factory;
  }

  public Mapping of(IndexMetadata index) {
    Made known = made.get(index.id());
    if (known == null || !known.isOf(index)) {
      Mapping mapping = factory.of(index);
      known = new Made(index.mappingVersion(), index.settingsVersion(), mapping);
      made.put(index.id(), known);
    }
    return known.mapping;
  }

  /// Forgets indices that are gone.
  public void keepOnly(ClusterState state) {
    made.keySet()
        .removeIf(id -> {
          IndexMetadata index = state.indices().get(id.name());
          return index == null || !index.id().equals(id);
        });
  }
}
