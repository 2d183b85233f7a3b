package dev.holdfast.node.api.index;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.node.http.Answer;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;

/// Does something on every shard of some indices, one after the other, and answers how many
/// succeeded: the shape that `_refresh`, `_flush` and `_forcemerge` share.
final class ShardWork {
  private ShardWork() {}

  /// What to do on a shard.
  interface Work {
    void on(ShardId shard) throws Exception;
  }

  static Answer each(List<IndexMetadata> indices, Work work) throws Exception {
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
    int successful = total - failures.size();
    int all = copies;
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("_shards");
      out.writeNumberField("total", all);
      out.writeNumberField("successful", successful);
      out.writeNumberField("failed", failures.size());
      if (!failures.isEmpty()) {
        out.writeArrayFieldStart("failures");
        for (Refusal failure : failures) {
          out.writeStartObject();
          out.writePOJOField("shard", failure.metadata().get("shard"));
          out.writeStringField("index", String.valueOf(failure.metadata().get("index")));
          out.writeStringField("status", "INTERNAL_SERVER_ERROR");
          out.writeObjectFieldStart("reason");
          out.writeStringField("type", failure.type().type());
          out.writeStringField("reason", failure.reason());
          out.writeEndObject();
          out.writeEndObject();
        }
        out.writeEndArray();
      }
      out.writeEndObject();
      out.writeEndObject();
    });
  }
}
