package dev.holdfast.document.mapping.tree;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.field.SeriesParameters;
import org.jspecify.annotations.Nullable;

/// What a `passthrough` object is besides an object: its fields answer to their names without its
/// own too.
///
/// @param priority whose field answers to a name that several have: the highest
/// @param hasDimensions whether its fields are dimensions of time series; null when not said (no)
public record PassThrough(int priority, @Nullable Boolean hasDimensions) {
  /// The same, changed by what a later mapping of the object says.
  PassThrough merge(PassThrough changed) {
    return new PassThrough(
        changed.priority, changed.hasDimensions == null ? hasDimensions : changed.hasDimensions);
  }

  void write(ObjectNode json) {
    json.put("type", "passthrough").put("priority", priority);
    if (hasDimensions != null) {
      json.put(SeriesParameters.DIMENSION, hasDimensions);
    }
  }
}
