package dev.holdfast.api.ingest;

import dev.holdfast.document.ingest.FailurePlace;
import org.jspecify.annotations.Nullable;

/// What is known of a document's way through its pipelines when they have refused it.
public final class IngestTrail {
  private @Nullable FailurePlace place;

  void failedAt(@Nullable FailurePlace where) {
    place = where;
  }

  /// The step that failed; null when it did not, or before any step.
  public @Nullable FailurePlace place() {
    return place;
  }
}
