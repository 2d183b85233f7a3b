package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.lifecycle.StreamOptions;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;

/// `/_data_stream/{name}/_options`: `{"failure_store": {"enabled", "lifecycle"?}}`.
public final class StreamOptionsApi {
  private final Metadata metadata;

  public StreamOptionsApi(Metadata metadata) {
    this.metadata = metadata;
  }

  public Api get() {
    return request -> {
      ObjectNode answer = Json.object();
      ArrayNode list = answer.putArray("data_streams");
      for (DataStream stream : StreamTargets.of(metadata.current(), request)) {
        ObjectNode one = list.addObject().put("name", stream.name());
        if (stream.options() != null) {
          one.set("options", stream.options());
        }
      }
      return Answer.of(200, answer);
    };
  }

  public Api put() {
    return request -> {
      ObjectNode options = StreamOptions.read(request.body().object());
      return changed(request, options);
    };
  }

  public Api delete() {
    return request -> changed(request, null);
  }

  private Answer changed(ApiRequest request, @org.jspecify.annotations.Nullable ObjectNode options)
      throws InterruptedException {
    StreamTargets.change(
        metadata, request, "data-stream-options", stream -> stream.with("options", options));
    boolean hasStore = options != null && options.has("failure_store");
    return hasStore
        ? StreamTargets.warned(
            Answer.acknowledged(), metadata.current(), request, DataStream.Component.FAILURES)
        : Answer.acknowledged();
  }
}
