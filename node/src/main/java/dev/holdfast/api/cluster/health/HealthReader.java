package dev.holdfast.api.cluster.health;

import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.indexing.call.IndexingShards;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Where the health of shards is read.
///
/// @param cache of this node, which notices damaged objects; null when it has neither tier
public record HealthReader(Metadata metadata, IndexingShards indexing, @Nullable BlobCache cache) {
  /// The health now of the indices that an expression names.
  public ClusterHealth of(String names, IndexExpression.Options options) throws IOException {
    SortedMap<String, String> damaged = cache == null ? new TreeMap<>() : cache.damaged();
    return ClusterHealth.of(metadata.current(), indexing, damaged, names, options);
  }
}
