package dev.holdfast.api.document;

import dev.holdfast.api.search.lookup.DocumentLookup;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.Routing;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A document as its newest write left it, searchable or not; what is told of it is durable.
public final class CurrentDocument {
  private CurrentDocument() {}

  /// Looks once more where the document belongs by then when its shard does not have it, which may
  /// have been divided since the index was looked up (decision 031).
  ///
  /// @param index as it was when the request came
  /// @param routing null for none: the id routes
  public static RealTimeDocument of(
      Metadata metadata,
      IndexingReads shards,
      IndexMetadata index,
      String id,
      @Nullable String routing)
      throws IOException {
    IndexMetadata known = index;
    while (true) {
      ShardId shard =
          new ShardId(known.id(), Routing.shard(id, routing, known.layout(), known.settings()));
      RealTimeDocument found = shards.get(shard, id);
      ClusterState now = metadata.current();
      if (found.exists() || !DocumentLookup.hasMoved(now, known, shard, id, routing)) {
        return found;
      }
      known = Objects.requireNonNull(now.indices().get(known.id().name()));
    }
  }
}
