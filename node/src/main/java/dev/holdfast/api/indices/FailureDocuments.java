package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.world.Json;

/// The indices of failure stores: what a data stream could not take, and why.
final class FailureDocuments {
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
}
