package dev.holdfast.api.search.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.Routing;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.query.source.SourceValues;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.text.JsonMemory;
import dev.holdfast.world.text.JsonTree;
import java.io.IOException;
import java.util.List;
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
    /// Its content, which the request holds from now on; null when there is none.
    public @Nullable JsonNode content() {
      byte[] source = document.source();
      if (source == null) {
        return null;
      }
      RequestMemory.add(JsonMemory.ofText(source, 0, source.length));
      return Json.parse(source);
    }

    /// The values at a path of its content, which the request holds from now on; null when there is
    /// no content.
    public @Nullable List<JsonNode> values(String path) {
      byte[] source = document.source();
      if (source == null) {
        return null;
      }
      try (JsonTree content = JsonTree.of(source)) {
        List<JsonNode> values = SourceValues.of(content.root(), path);
        RequestMemory.add(values.stream().mapToLong(JsonMemory::of).sum());
        return values;
      }
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
    return new ShardId(index.id(), Routing.shard(id, routing, index.layout(), index.settings()));
  }

  public Found find(String index, String id, @Nullable String routing, boolean realTime)
      throws IOException {
    while (true) {
      StopSignal.lookForCancelling();
      IndexMetadata meant = SingleIndex.of(metadata.current(), index, false);
      IndexBlocks.requireReadable(meant);
      ShardId shard = shard(meant, id, routing);
      RealTimeDocument document = searches.get(shard, id, realTime);
      if (document.exists() || !hasMoved(metadata.current(), meant, shard, id, routing)) {
        return new Found(meant, shard, document);
      }
    }
  }

  /// Whether a document that was not found has to be looked for once more: its shard was divided
  /// after it was chosen (decision 031).
  ///
  /// @param now the state after the answer
  /// @param index that the shard was chosen by
  public static boolean hasMoved(
      ClusterState now, IndexMetadata index, ShardId shard, String id, @Nullable String routing) {
    IndexMetadata newest = now.indices().get(index.id().name());
    return newest != null
        && newest.id().equals(index.id())
        && newest.shards() != index.shards()
        && Routing.shard(id, routing, newest.layout(), newest.settings()) != shard.number();
  }
}
