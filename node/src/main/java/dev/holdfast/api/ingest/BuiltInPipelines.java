package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.template.BuiltInDefinitions;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Pipelines that are there from the start: those that the built-in templates name.
final class BuiltInPipelines {
  private static final BuiltInDefinitions ALL =
      BuiltInDefinitions.of("/dev/holdfast/api/ingest/built-in-pipelines.json");

  private BuiltInPipelines() {}

  static SortedMap<String, ObjectNode> all() {
    return ALL.all();
  }

  /// The one of that id; null for none.
  static @Nullable ObjectNode find(String id) {
    return ALL.all().get(id);
  }

  static boolean isOwn(String id, ObjectNode definition) {
    return ALL.isOwn(id, definition);
  }
}
