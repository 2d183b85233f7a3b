package dev.holdfast.api.indices.shard;

import static java.util.stream.Collectors.joining;

import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.tasks.BackgroundTasks;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.util.ArrayList;
import java.util.List;

/// `POST /{index}/_forcemerge`: merges segments and makes the result searchable, while the client
/// waits or as a task.
public final class ForceMergeApi implements Api {
  private final Metadata metadata;
  private final IndexingShards shards;
  private final BackgroundTasks tasks;
  private final ShardOperations operations;

  public ForceMergeApi(
      World world, Metadata metadata, IndexingShards shards, BackgroundTasks tasks) {
    this.metadata = metadata;
    this.shards = shards;
    this.tasks = tasks;
    this.operations = new ShardOperations(world, 1);
  }

  /// The parameters that its requests may have.
  public static List<String> parameters() {
    List<String> all = new ArrayList<>(IndexExpression.PARAMETERS);
    all.addAll(List.of("max_num_segments", "only_expunge_deletes", "flush", "wait_for_completion"));
    return all;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    List<IndexMetadata> indices =
        IndexBlocks.changeable(
            IndexExpression.resolve(
                metadata.current(),
                request.text("index", ""),
                IndexExpression.Options.SEARCH.of(request)));
    int segments = request.integer("max_num_segments", -1);
    boolean onlyDeletes = request.flag("only_expunge_deletes", false);
    boolean flushes = request.flag("flush", true);
    if (onlyDeletes && segments != -1) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: cannot set only_expunge_deletes and max_num_segments at the same"
              + " time, those two parameters are mutually exclusive;");
    }
    ShardOperations.Work work =
        shard -> {
          shards.forceMerge(shard, segments, onlyDeletes);
          if (flushes) {
            shards.flush(shard);
          }
        };
    if (request.flag("wait_for_completion", true)) {
      return operations.each(indices, work);
    }
    String names = indices.stream().map(index -> index.id().name()).collect(joining(", "));
    return tasks.start(
        request,
        "indices:admin/forcemerge",
        "Force-merge indices [" + names + "], maxSegments[" + segments + "]",
        task -> new BackgroundTasks.Outcome(200, operations.done(indices, work)));
  }
}
