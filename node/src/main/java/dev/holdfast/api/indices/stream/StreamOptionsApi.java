package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;

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
      ObjectNode options = read(request.body().object());
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
    return Answer.acknowledged();
  }

  private static ObjectNode read(ObjectNode given) {
    JsonObject body = JsonObject.of("data_stream_options", given);
    ObjectNode options = Json.object();
    JsonObject store = body.object("failure_store");
    if (store != null) {
      ObjectNode kept = options.putObject("failure_store");
      if (store.has("enabled")) {
        kept.put("enabled", store.bool("enabled", true));
      }
      JsonObject lifecycle = store.object("lifecycle");
      if (lifecycle != null) {
        kept.set("lifecycle", StreamLifecycles.read(lifecycle.node()));
      }
      store.done();
    }
    body.done();
    return options;
  }
}
