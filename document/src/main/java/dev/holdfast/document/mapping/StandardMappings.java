package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import java.util.SortedMap;

/// Mappings of the field types there are.
public final class StandardMappings implements MappingFactory {
  public StandardMappings() {}

  @Override
  public Mapping create(ObjectNode mapping, SortedMap<String, Object> settings) {
    return IndexMapping.create(mapping, settings);
  }
}
