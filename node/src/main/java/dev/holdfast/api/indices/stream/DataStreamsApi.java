package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.health.HealthReader;
import dev.holdfast.api.indices.StreamCreation;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.StreamExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `PUT`, `GET` and `DELETE /_data_stream/{name}`.
public final class DataStreamsApi {
  private final Metadata metadata;
  private final StreamCreation streams;
  private final HealthReader health;
  private final NewestTime newest;

  public DataStreamsApi(
      Metadata metadata, StreamCreation streams, HealthReader health, Searches searches) {
    this.metadata = metadata;
    this.streams = streams;
    this.health = health;
    this.newest = new NewestTime(searches);
  }

  public Api create() {
    return this::create;
  }

  public Api get() {
    return this::get;
  }

  public Api delete() {
    return this::delete;
  }

  private Answer create(ApiRequest request) throws InterruptedException {
    var _ = streams.create(request.required("name"));
    return Answer.acknowledged();
  }

  private Answer get(ApiRequest request) throws Exception {
    ClusterState state = metadata.current();
    List<DataStream> meant = StreamTargets.of(state, request);
    boolean hasDefaults = request.flag("include_defaults", false);
    boolean isVerbose = request.flag("verbose", false);
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("data_streams");
    for (DataStream stream : meant) {
      ShownStream shown = new ShownStream(state, stream, health);
      ObjectNode json = shown.json(hasDefaults);
      if (isVerbose) {
        json.put("maximum_timestamp", newest.of(state, stream));
      }
      list.add(json);
    }
    return Answer.of(200, answer);
  }

  private Answer delete(ApiRequest request) throws InterruptedException {
    List<String> names = request.names("name");
    metadata.update(
        "delete-data-stream [" + request.required("name") + "]",
        state -> {
          names.forEach(name -> requireNoAlias(state, name));
          ClusterState left = state;
          for (DataStream stream : StreamTargets.of(state, request)) {
            for (Component component : Component.values()) {
              List<IndexMetadata> indices = StreamExpression.existing(state, stream, component);
              indices.forEach(IndexBlocks::requireDeletable);
            }
            left = BackingIndices.withoutStream(left, stream);
          }
          return left;
        });
    return Answer.acknowledged();
  }

  /// An alias is not what it points at: who deletes that says so.
  private static void requireNoAlias(ClusterState state, String name) {
    List<String> behind =
        DataStreams.of(state, name) == null
            ? DataStreams.aliased(state, name).stream().map(DataStream::name).toList()
            : List.of();
    if (!behind.isEmpty()) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND,
          "data streams [" + name + "] not found: that is an alias of " + behind);
    }
  }
}
