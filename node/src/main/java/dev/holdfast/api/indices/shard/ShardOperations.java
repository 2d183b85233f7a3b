package dev.holdfast.api.indices.shard;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;

/// Does something on every shard of some indices, one after the other, and answers how many
/// succeeded: the shape that `_refresh`, `_flush` and `_forcemerge` share.
final class ShardOperations {
  private ShardOperations() {}

  /// What to do on a shard.
  interface Work {
    void on(ShardId shard) throws Exception;
  }

  static Answer each(List<IndexMetadata> indices, Work work) throws Exception {
    return Answer.of(200, done(indices, work));
  }

  /// The body of the answer.
  static ObjectNode done(List<IndexMetadata> indices, Work work) throws Exception {
    int total = 0;
    int copies = 0;
    List<Refusal> failures = new ArrayList<>();
    for (IndexMetadata index : indices) {
      for (int number = 0; number < index.shards(); number++) {
        total++;
        copies += 1 + Integer.parseInt(index.setting("index.number_of_replicas", "1"));
        try {
          work.on(new ShardId(index.id(), number));
        } catch (Refusal e) {
          failures.add(e.with("index", index.id().name()).with("shard", number));
        }
      }
    }
    if (!failures.isEmpty() && failures.size() == total) {
      throw failures.getFirst();
    }
    ObjectNode answer = Json.object();
    ObjectNode counts = answer.putObject("_shards");
    counts.put("total", copies);
    counts.put("successful", total - failures.size());
    counts.put("failed", failures.size());
    if (!failures.isEmpty()) {
      ArrayNode shown = counts.putArray("failures");
      for (Refusal failure : failures) {
        ObjectNode one = shown.addObject();
        one.putPOJO("shard", failure.metadata().get("shard"));
        one.put("index", String.valueOf(failure.metadata().get("index")));
        one.put("status", "INTERNAL_SERVER_ERROR");
        one.putObject("reason").put("type", failure.type().type()).put("reason", failure.reason());
      }
    }
    return answer;
  }
}
