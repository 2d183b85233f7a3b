package dev.holdfast.document.mapping.tree;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.Mapping;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What reading documents into columns asks of a mapping besides its fields: the tree, what of
/// `_source` is kept, and what becomes of members that the mapping lacks.
public interface DocumentMapping extends Mapping {
  ObjectMapping root();

  /// The member of that full path, multi-fields excluded.
  @Nullable MappingNode member(String path);

  /// Whether there is no field of that path, and the objects around it take new fields.
  boolean mayAdd(String path);

  /// Whether documents must not have a member of that name at their top.
  boolean isMetadata(String name);

  boolean isSourceEnabled();

  /// Whether each document must have one `@timestamp`, as those of data streams.
  boolean requiresTimestamp();

  /// What of documents `_source` keeps.
  SourcePatterns sourcePatterns();

  /// The update that a document asks for; empty when the mapping has all its fields.
  ///
  /// @param named the dynamic templates that new fields must take, by their paths
  /// @param left collects the paths of fields that there is no room for, where the index ignores
  ///   those
  ObjectNode infer(JsonNode document, Map<String, String> named, Collection<String> left);
}
