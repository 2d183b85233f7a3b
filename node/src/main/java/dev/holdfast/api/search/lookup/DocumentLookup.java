package dev.holdfast.api.search.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.Routing;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Documents by id, for requests that are about them.
public final class DocumentLookup {
  private final Metadata metadata;
  private final Searches searches;

  public DocumentLookup(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.searches = searches;
  }

  /// A document with the shard it is in.
  public record Found(IndexMetadata index, ShardId shard, RealTimeDocument document) {
    /// Its content; null when there is none.
    public @Nullable JsonNode content() {
      byte[] source = document.source();
      return source == null ? null : Json.parse(source);
    }

    /// What is said of a document that has not the version which was asked for.
    public Refusal conflict(String id, long wanted) {
      return new Refusal(
              ErrorType.VERSION_CONFLICT,
              "["
                  + id
                  + "]: version conflict, current version ["
                  + document.version()
                  + "] is different than the one provided ["
                  + wanted
                  + "]")
          .with("index_uuid", index.id().uuid())
          .with("shard", Integer.toString(shard.number()))
          .with("index", index.id().name());
    }
  }

  public ShardId shard(IndexMetadata index, String id, @Nullable String routing) {
    return new ShardId(index.id(), Routing.shard(id, routing, index.shards(), index.settings()));
  }

  public Found find(String index, String id, @Nullable String routing, boolean realTime)
      throws IOException {
    IndexMetadata meant = SingleIndex.of(metadata.current(), index, false);
    ShardId shard = shard(meant, id, routing);
    return new Found(meant, shard, searches.get(shard, id, realTime));
  }
}
