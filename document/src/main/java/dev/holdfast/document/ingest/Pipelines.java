package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/// The pipelines of the cluster, by id.
@FunctionalInterface
public interface Pipelines {
  @Nullable IngestPipeline find(String id);

  /// A stored script, `{"lang", "source"}`, or null.
  default @Nullable JsonNode storedScript(String id) {
    return null;
  }
}
