package dev.holdfast.document.ingest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a document failed in its pipelines.
///
/// @param pipelines from the one that the write named to the one that failed
/// @param type of the processor
/// @param tag of the processor; null for none
public record FailurePlace(List<String> pipelines, String type, @Nullable String tag) {
  public FailurePlace {
    pipelines = List.copyOf(pipelines);
  }

  /// The pipeline that failed; empty for none.
  public String pipeline() {
    return pipelines.isEmpty() ? "" : pipelines.getLast();
  }
}
