package dev.holdfast.node.api.document;

import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// The `pipeline` of a write: none exists here yet, and `_none` asks for none.
final class PipelineParameter {
  private PipelineParameter() {}

  static void requireNone(@Nullable String pipeline) {
    if (pipeline != null && !pipeline.isEmpty() && !pipeline.equals("_none")) {
      throw Refusal.badArgument("pipeline with id [" + pipeline + "] does not exist");
    }
  }
}
