package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.field.SeriesParameters;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Fields of a `passthrough` object with `time_series_dimension` are dimensions without saying so:
/// it is said for them before a mapping is read, whoever wrote it, a person or a document.
final class InheritedDimensions {
  /// What can be a dimension.
  private static final Set<String> TYPES =
      Set.of("boolean", "byte", "integer", "ip", "keyword", "long", "short", "unsigned_long");

  private InheritedDimensions() {}

  /// @param update a mapping; it is not changed
  /// @param there what it is merged into; null for nothing
  static ObjectNode said(ObjectNode update, @Nullable ObjectMapping there) {
    boolean isPossible =
        (there != null && there.spreadsDimensions())
            || update.toString().contains(SeriesParameters.DIMENSION);
    if (!isPossible) {
      return update;
    }
    ObjectNode copy = RootOptions.unwrapped(update).deepCopy();
    object(copy, there, false);
    return copy;
  }

  private static void object(ObjectNode json, @Nullable ObjectMapping there, boolean isIn) {
    boolean saysSo =
        json.path("type").asText().equals("passthrough")
            && json.path(SeriesParameters.DIMENSION).asBoolean();
    boolean has = isIn || saysSo || (there != null && there.hasDimensions());
    for (var property : json.path("properties").properties()) {
      if (property.getValue() instanceof ObjectNode member) {
        member(property.getKey(), member, there, has);
      }
    }
  }

  /// @param name may have dots, for objects on the way
  private static void member(
      String name, ObjectNode json, @Nullable ObjectMapping parent, boolean isIn) {
    int dot = name.indexOf('.');
    String first = dot < 0 ? name : name.substring(0, dot);
    ObjectMapping there =
        parent != null && parent.members().get(first) instanceof ObjectMapping object
            ? object
            : null;
    if (dot >= 0 && (parent == null || !parent.isFlat())) {
      boolean has = isIn || (there != null && there.hasDimensions());
      member(name.substring(dot + 1), json, there, has);
    } else if (json.has("properties") || json.path("type").asText().equals("passthrough")) {
      object(json, there, isIn);
    } else if (isIn) {
      leaf(json);
    }
  }

  private static void leaf(ObjectNode json) {
    JsonNode type = json.path("type");
    if (TYPES.contains(type.asText())
        && !json.has(SeriesParameters.DIMENSION)
        && !json.has(SeriesParameters.METRIC)) {
      json.put(SeriesParameters.DIMENSION, true);
    }
  }
}
