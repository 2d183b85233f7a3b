package dev.holdfast.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedMap;

/// Makes mappings from an index's metadata.
public interface MappingFactory {
  /// Reads a mapping; the index's limits are asked by [Mapping#merge].
  ///
  /// @param mapping the value of `mappings`; empty object for none
  /// @param settings the index's flat settings: analysis and limits are read from them
  /// @throws dev.holdfast.world.Refusal `mapper_parsing_exception` or `illegal_argument_exception`
  Mapping create(ObjectNode mapping, SortedMap<String, Object> settings);
}
