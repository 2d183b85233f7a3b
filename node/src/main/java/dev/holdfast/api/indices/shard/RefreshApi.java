package dev.holdfast.api.indices.shard;

import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.World;
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
    return operations.each(indices, shard -> shards.refresh(shard));
  }
}
