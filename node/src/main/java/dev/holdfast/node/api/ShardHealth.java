package dev.holdfast.node.api;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.indexing.IndexingShards;
import dev.holdfast.node.api.index.IndexExpression;
import java.io.IOException;

/// Where the health of shards is read.
public record ShardHealth(Metadata metadata, IndexingShards indexing) {
  /// The health now of the indices that an expression names.
  Health of(String names, IndexExpression.Options options) throws IOException {
    return Health.of(metadata.current(), indexing, names, options);
  }
}
