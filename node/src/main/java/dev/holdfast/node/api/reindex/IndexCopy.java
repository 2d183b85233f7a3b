package dev.holdfast.node.api.reindex;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.IndexingShards;
import dev.holdfast.indexing.WriteOperation;
import dev.holdfast.node.api.document.WriteRequests;
import dev.holdfast.node.api.index.ResizeApi;
import dev.holdfast.node.api.search.Scrolls;
import dev.holdfast.node.api.task.BackgroundTasks;
import dev.holdfast.node.api.task.RunningTask;
import dev.holdfast.node.api.task.RunningTasks;
import dev.holdfast.query.Hit;
import dev.holdfast.search.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Writes all documents of an index into another, with their versions: how indices are cloned,
/// split and shrunk.
public final class IndexCopy implements ResizeApi.Copying {
  private static final Duration KEEP_ALIVE = Duration.ofMinutes(5);

  private final RunningTasks tasks;
  private final Scrolls scrolls;
  private final WriteRequests writes;
  private final IndexingShards shards;

  public IndexCopy(
      RunningTasks tasks, Scrolls scrolls, WriteRequests writes, IndexingShards shards) {
    this.tasks = tasks;
    this.scrolls = scrolls;
    this.writes = writes;
    this.shards = shards;
  }

  @Override
  public void copy(IndexMetadata from, IndexMetadata to) throws Exception {
    List<ShardTarget> targets = new ArrayList<>();
    for (int number = 0; number < from.shards(); number++) {
      ShardId shard = new ShardId(from.id(), number);
      shards.refresh(shard);
      targets.add(ShardTarget.of(shard));
    }
    ObjectNode search = Json.object().put("version", true);
    search.putArray("sort").add("_doc");
    ByQuery asked =
        new ByQuery(
            ByQuery.Kind.REINDEX,
            targets,
            search,
            ByQueryParameters.BATCH_DEFAULT,
            -1,
            false,
            1,
            Float.POSITIVE_INFINITY,
            true,
            KEEP_ALIVE,
            1,
            "1m",
            (hit, position) -> new ByQuery.Write(to, operation(hit, position)));
    RunningTask task =
        tasks.begin(
            "indices:admin/resize",
            "resize from [" + from.id().name() + "] to [" + to.id().name() + "]",
            null,
            true);
    try {
      BackgroundTasks.Outcome outcome =
          new ByQueryRun(writes.world(), scrolls, writes, asked, task, () -> false).run();
      if (outcome.status() != 200 || task.isCancelled()) {
        throw new Refusal(
            ErrorType.ILLEGAL_STATE, "documents could not be copied: " + outcome.body());
      }
    } finally {
      tasks.end(task);
    }
  }

  private static WriteOperation operation(Hit hit, int position) {
    byte[] source = hit.source();
    String id = hit.id();
    if (source == null || id == null) {
      throw Refusal.badArgument("[" + hit.index() + "][" + id + "] didn't store _source");
    }
    return new WriteOperation(
        position,
        WriteOperation.Kind.INDEX,
        id,
        false,
        hit.routing(),
        source,
        0,
        source.length,
        new WriteOperation.Condition(-2, 0, hit.version(), WriteOperation.VersionType.EXTERNAL_GTE),
        0);
  }
}
