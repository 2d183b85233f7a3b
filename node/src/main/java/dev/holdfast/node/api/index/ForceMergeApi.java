package dev.holdfast.node.api.index;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.indexing.IndexingShards;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `POST /{index}/_forcemerge`: merges segments and makes the result searchable.
public final class ForceMergeApi implements Api {
  private final Metadata metadata;
  private final IndexingShards shards;

  public ForceMergeApi(Metadata metadata, IndexingShards shards) {
    this.metadata = metadata;
    this.shards = shards;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            metadata.current(),
            request.text("index", ""),
            IndexExpression.Options.SEARCH.of(request));
    int segments = request.integer("max_num_segments", -1);
    boolean onlyDeletes = request.flag("only_expunge_deletes", false);
    boolean flushes = request.flag("flush", true);
    if (onlyDeletes && segments != -1) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: cannot set only_expunge_deletes and max_num_segments at the same time, those two parameters"
              + " are mutually exclusive;");
    }
    return ShardWork.each(
        indices,
        shard -> {
          shards.forceMerge(shard, segments, onlyDeletes);
          if (flushes) {
            shards.flush(shard);
          }
        });
  }
}
