package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a failure store keeps of a document that its data stream could not take.
public final class FailureDocuments {
  private FailureDocuments() {}

  /// The mapping of its indices: the document itself is kept, not indexed.
  static ObjectNode mapping() {
    ObjectNode mapping = Json.object().put("dynamic", false);
    mapping.putObject("_data_stream_timestamp").put("enabled", true);
    ObjectNode fields = mapping.putObject("properties");
    fields.putObject(DataStream.TIMESTAMP).put("type", "date");
    ObjectNode document = fields.putObject("document").putObject("properties");
    for (String name : new String[] {"id", "index", "routing"}) {
      document.putObject(name).put("type", "keyword");
    }
    ObjectNode error = fields.putObject("error").putObject("properties");
    error.putObject("message").put("type", "text");
    for (String name : new String[] {"type", "pipeline_trace", "pipeline", "processor_type"}) {
      error.putObject(name).put("type", "keyword");
    }
    error.putObject("stack_trace").put("type", "text");
    return mapping;
  }

  /// The document that tells of a failure.
  ///
  /// @param stream that refused it
  /// @param source null when it is no JSON
  public static ObjectNode of(
      long epochMillis,
      String stream,
      @Nullable String id,
      @Nullable String routing,
      @Nullable ObjectNode source,
      Refusal why) {
    ObjectNode failure = Json.object();
    failure.put(DataStream.TIMESTAMP, Instant.ofEpochMilli(epochMillis).toString());
    ObjectNode document = failure.putObject("document");
    if (id != null) {
      document.put("id", id);
    }
    if (routing != null) {
      document.put("routing", routing);
    }
    document.put("index", stream);
    if (source != null) {
      document.set("source", source);
    }
    ObjectNode error = failure.putObject("error");
    error.put("type", why.type().type()).put("message", why.reason());
    return failure;
  }
}
