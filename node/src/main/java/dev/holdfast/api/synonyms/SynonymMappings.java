package dev.holdfast.api.synonyms;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.analysis.SynonymSets;
import java.util.SortedMap;

/// Mappings whose analysers find the synonym sets of the cluster.
public record SynonymMappings(MappingFactory mappings, Metadata metadata)
    implements MappingFactory {
  @Override
  public Mapping create(ObjectNode mapping, SortedMap<String, Object> settings) {
    return mappings.create(mapping, withRules(metadata, settings));
  }

  /// The settings with the rules of the sets that they name.
  public static SortedMap<String, Object> withRules(
      Metadata metadata, SortedMap<String, Object> settings) {
    return SynonymSets.used(settings).isEmpty()
        ? settings
        : SynonymSets.inlined(settings, metadata.current().customs().get(StoredSynonyms.CUSTOM));
  }
}
