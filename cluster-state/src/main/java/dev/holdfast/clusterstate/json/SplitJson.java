package dev.holdfast.clusterstate.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;

/// How an index was split, as JSON:
///
/// ```
/// {"base": 2, "from": 2, "to": 4, "parts": [[source, primary_term, blob_term, blob_generation]]}
/// ```
final class SplitJson {
  private SplitJson() {}

  static ObjectNode written(IndexSplit split) {
    ObjectNode json = Json.object();
    json.put("base", split.base()).put("from", split.from()).put("to", split.to());
    ArrayNode parts = json.putArray("parts");
    for (IndexSplit.Part part : split.parts()) {
      parts
          .addArray()
          .add(part.source())
          .add(part.primaryTerm())
          .add(part.blobTerm())
          .add(part.blobGeneration());
    }
    return json;
  }

  /// What [#written] gave.
  static IndexSplit read(JsonNode json) {
    List<IndexSplit.Part> parts = new ArrayList<>();
    json.path("parts")
        .forEach(part ->
            parts.add(
                new IndexSplit.Part(
                    part.path(0).asInt(),
                    part.path(1).asLong(),
                    part.path(2).asLong(),
                    part.path(3).asLong())));
    return new IndexSplit(
        json.path("base").asInt(), json.path("from").asInt(), json.path("to").asInt(), parts);
  }
}
