/// Ingest pipelines: kept in the cluster state, applied to writes before they reach their shards.
@NullMarked
package dev.holdfast.node.api.ingest;

import org.jspecify.annotations.NullMarked;
