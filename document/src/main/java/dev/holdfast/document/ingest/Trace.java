package dev.holdfast.document.ingest;

import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// Hears of each step that a document takes through a pipeline.
@FunctionalInterface
public interface Trace {
  /// @param outcome how the step ended
  /// @param error null when it went well
  void step(Step step, IngestDocument document, Outcome outcome, @Nullable Refusal error);

  /// How a step ended.
  enum Outcome {
    SUCCESS,
    /// It calls another pipeline, whose steps follow.
    CALL,
    ERROR,
    ERROR_IGNORED,
    DROPPED,
    /// Its condition did not hold.
    SKIPPED
  }
}
