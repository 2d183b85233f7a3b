package dev.holdfast.document.mapping.tree;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// What a name in an object's mapping stands for.
public sealed interface MappingNode permits ObjectMapping, LeafMapping {
  /// Full path.
  String path();

  /// As `GET _mapping` shows it.
  ObjectNode toJson();

  /// This member after an update asked for `changed`.
  ///
  /// @throws dev.holdfast.world.Refusal `illegal_argument_exception` for a conflict
  MappingNode merge(MappingNode changed);
}
