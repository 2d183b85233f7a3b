package dev.holdfast.api.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.document.CurrentDocument;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What tasks that nobody waited for came to: documents of the hidden index `.tasks`.
public final class TaskResults {
  private static final String INDEX = ".tasks";
  private static final Map<String, String> SETTINGS =
      Map.of(
          "index.number_of_shards", "1",
          "index.auto_expand_replicas", "0-1",
          "index.hidden", "true");
  private static final String MAPPING =
      "{\"dynamic\":\"false\",\"properties\":{\"completed\":{\"type\":\"boolean\"}}}";

  private final Metadata metadata;
  private final IndexCreation creation;
  private final WriteRequests writes;
  private final IndexingShards shards;

  public TaskResults(
      Metadata metadata, IndexCreation creation, WriteRequests writes, IndexingShards shards) {
    this.metadata = metadata;
    this.creation = creation;
    this.writes = writes;
    this.shards = shards;
  }

  /// @param result `{"completed", "task", "response" or "error"}`
  void store(TaskId id, ObjectNode result) throws IOException, InterruptedException {
    byte[] bytes = Json.bytes(result);
    var operation =
        new WriteOperation(
            0,
            WriteOperation.Kind.INDEX,
            id.toString(),
            false,
            null,
            bytes,
            0,
            bytes.length,
            WriteOperation.Condition.NONE,
            0);
    IndexMetadata index = index();
    var _ = writes.writeOne(index, operation);
    shards.refresh(WriteRequests.shard(index, operation));
  }

  private IndexMetadata index() throws IOException, InterruptedException {
    IndexMetadata known = metadata.current().indices().get(INDEX);
    if (known != null) {
      return known;
    }
    IndexMetadata made;
    try {
      // No template is for it, whatever names it is for.
      made =
          creation.createAs(
              INDEX, new TreeMap<>(SETTINGS), Json.parseObject(MAPPING), Json.object());
    } catch (Refusal e) {
      IndexMetadata other = metadata.current().indices().get(INDEX);
      if (e.type() != ErrorType.RESOURCE_ALREADY_EXISTS || other == null) {
        throw e;
      }
      made = other;
    }
    shards.awaitOpen(new ShardId(made.id(), 0));
    return made;
  }

  @Nullable ObjectNode find(TaskId id) throws IOException {
    IndexMetadata index = metadata.current().indices().get(INDEX);
    if (index == null) {
      return null;
    }
    byte[] source = CurrentDocument.of(metadata, shards, index, id.toString(), null).source();
    return source == null ? null : Json.parseObject(source, 0, source.length);
  }
}
