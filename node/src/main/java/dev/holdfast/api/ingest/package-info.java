/// Ingest pipelines: kept in the cluster state, applied to writes before they reach their shards,
/// simulated on request. A pipeline that fails refuses its document and no other.
@NullMarked
package dev.holdfast.api.ingest;

import org.jspecify.annotations.NullMarked;
