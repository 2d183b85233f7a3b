package dev.holdfast.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import java.util.SortedMap;
import java.util.TreeMap;

/// Makes mappings from an index's metadata.
public interface MappingFactory {
  /// The setting that a mapping is told the name of its index by.
  String INDEX_NAME = "index.provided_name";

  /// Reads a mapping; the index's limits are asked by [Mapping#merge].
  ///
  /// @param mapping the value of `mappings`; empty object for none
  /// @param settings the index's flat settings: analysis and limits are read from them
  /// @throws dev.holdfast.world.Refusal `mapper_parsing_exception` or `illegal_argument_exception`
  Mapping create(ObjectNode mapping, SortedMap<String, Object> settings);

  /// The mapping of an index. It knows the index by its name, which need not be the one that it was
  /// made with: that may have dates in it, or be the name of the index that was restored as this.
  default Mapping of(IndexMetadata index) {
    String name = index.id().name();
    SortedMap<String, Object> settings = index.settings();
    if (!name.equals(settings.get(INDEX_NAME))) {
      settings = new TreeMap<>(settings);
      settings.put(INDEX_NAME, name);
    }
    return create(index.mapping(), settings);
  }
}
