package dev.holdfast.api.indices.shard;

import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.List;

/// `POST /{index}/_refresh`: makes all writes so far searchable.
public final class RefreshApi implements Api {
  private final Metadata metadata;
  private final IndexingShards shards;
  private final ShardOperations operations;

  public RefreshApi(World world, Metadata metadata, IndexingShards shards) {
    this.metadata = metadata;
    this.shards = shards;
    this.operations = new ShardOperations(world, ShardOperations.SIDE_BY_SIDE);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            metadata.current(),
            request.text("index", ""),
            IndexExpression.Options.SEARCH.of(request));
    Answer answer = operations.each(indices, shard -> shards.refresh(shard));
    for (IndexMetadata index : indices) {
      refreshAdded(index);
    }
    return answer;
  }

  /// A shard that was added, of which this node has heard only now, may have what was written to
  /// documents of the others before (decision 031).
  private void refreshAdded(IndexMetadata index) throws IOException, InterruptedException {
    for (int number = index.shards(); number < shardsNow(index); number++) {
      shards.refresh(new ShardId(index.id(), number));
    }
  }

  private int shardsNow(IndexMetadata index) {
    IndexMetadata now = metadata.current().indices().get(index.id().name());
    return now == null || !now.id().equals(index.id()) ? 0 : now.shards();
  }
}
