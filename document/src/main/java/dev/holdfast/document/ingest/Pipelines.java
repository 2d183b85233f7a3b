package dev.holdfast.document.ingest;

import org.jspecify.annotations.Nullable;

/// The pipelines of the cluster, by id.
@FunctionalInterface
public interface Pipelines {
  @Nullable IngestPipeline find(String id);
}
