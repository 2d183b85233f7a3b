package dev.holdfast.api.cluster.health;

import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.indexing.call.IndexingShards;
import java.io.IOException;

/// Where the health of shards is read.
public record HealthReader(Metadata metadata, IndexingShards indexing) {
  /// The health now of the indices that an expression names.
  public ClusterHealth of(String names, IndexExpression.Options options) throws IOException {
    return ClusterHealth.of(metadata.current(), indexing, names, options);
  }
}
