package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.lifecycle.Retention;
import dev.holdfast.api.indices.lifecycle.StreamLifecycles;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import java.time.Instant;
import java.util.List;

/// `/_data_stream/{name}/_lifecycle`, `/{index}/_lifecycle/explain` and `/_lifecycle/stats`.
public final class StreamLifecycleApi {
  private final Metadata metadata;
  private final LifecycleRuns runs;
  private final Clock clock;

  public StreamLifecycleApi(Metadata metadata, LifecycleRuns runs, Clock clock) {
    this.metadata = metadata;
    this.runs = runs;
    this.clock = clock;
  }

  public Api get() {
    return this::get;
  }

  public Api put() {
    return request -> {
      ObjectNode lifecycle = StreamLifecycles.read(request.body().object());
      return changed(request, lifecycle);
    };
  }

  public Api delete() {
    return request -> changed(request, null);
  }

  public Api explain() {
    return this::explain;
  }

  public Api stats() {
    return this::stats;
  }

  private Answer get(ApiRequest request) {
    boolean hasDefaults = request.flag("include_defaults", false);
    ObjectNode answer = Json.object();
    ClusterState state = metadata.current();
    Retention retention = Retention.of(state);
    ObjectNode global = answer.putObject("global_retention");
    if (retention.byDefault() != null) {
      global.put("default_retention", TimeValue.exact(retention.byDefault()));
    }
    if (retention.max() != null) {
      global.put("max_retention", TimeValue.exact(retention.max()));
    }
    ArrayNode list = answer.putArray("data_streams");
    List<DataStream> streams =
        areIndices(state, request) ? List.of() : StreamTargets.of(state, request);
    for (DataStream stream : streams) {
      if (stream.lifecycle() != null) {
        list.addObject()
            .put("name", stream.name())
            .set("lifecycle", StreamLifecycles.shown(state, stream, Component.DATA, hasDefaults));
      }
    }
    return Answer.of(200, answer);
  }

  /// Names of indices are taken, and change nothing, as in Elasticsearch.
  private Answer changed(
      ApiRequest request, @org.jspecify.annotations.Nullable ObjectNode lifecycle)
      throws InterruptedException {
    if (areIndices(metadata.current(), request)) {
      return Answer.acknowledged();
    }
    StreamTargets.change(
        metadata, request, "data-stream-lifecycle", one -> one.with("lifecycle", lifecycle));
    return lifecycle == null
        ? Answer.acknowledged()
        : StreamTargets.warned(Answer.acknowledged(), metadata.current(), request, Component.DATA);
  }

  private static boolean areIndices(ClusterState state, ApiRequest request) {
    return request.list("name").stream().allMatch(name -> state.indices().containsKey(name));
  }

  private Answer explain(ApiRequest request) {
    ClusterState state = metadata.current();
    boolean hasDefaults = request.flag("include_defaults", false);
    ObjectNode indices = Json.object();
    for (IndexMetadata index :
        IndexExpression.resolve(
            state, request.required("index"), IndexExpression.Options.METADATA.of(request))) {
      String name = index.id().name();
      DataStream stream = DataStreams.owning(state, name);
      ObjectNode one = indices.putObject(name).put("index", name);
      if (stream == null || !ManagedIndices.byStream(state, stream, index)) {
        one.put("managed_by_lifecycle", false);
        continue;
      }
      Component component = ManagedIndices.component(stream, name);
      one.put("managed_by_lifecycle", true);
      long created = Long.parseLong(index.setting("index.creation_date", "0"));
      one.put("index_creation_date_millis", created);
      if (request.human()) {
        one.put("index_creation_date", Instant.ofEpochMilli(created).toString());
      }
      one.put("time_since_index_creation", (clock.epochMillis() - created) + "ms");
      long rolledOver = LifecycleRuns.rolledOverMillis(state, stream, component, name);
      if (rolledOver > 0) {
        one.put("rollover_date_millis", rolledOver);
        one.put("time_since_rollover", (clock.epochMillis() - rolledOver) + "ms");
        long since = LifecycleRuns.agedSinceMillis(index, rolledOver);
        one.put("generation_time", (clock.epochMillis() - since) + "ms");
      }
      one.set("lifecycle", StreamLifecycles.shown(state, stream, component, hasDefaults));
      ObjectNode error = LifecycleErrors.of(state, name);
      if (error != null) {
        one.set("error", shown(error, request.human()));
      }
    }
    ObjectNode answer = Json.object();
    answer.set("indices", indices);
    return Answer.of(200, answer);
  }

  private static ObjectNode shown(ObjectNode error, boolean isForPeople) {
    ObjectNode shown = error.deepCopy();
    for (String name : List.of("first_occurrence", "last_recorded")) {
      if (isForPeople) {
        shown.put(name, Instant.ofEpochMilli(error.path(name + "_millis").asLong()).toString());
      }
    }
    return shown;
  }

  private Answer stats(ApiRequest request) {
    ObjectNode answer = Json.object();
    ClusterState state = metadata.current();
    List<DataStream> managed =
        DataStreams.all(state).stream()
            .filter(stream -> StreamLifecycles.isManaged(state, stream, Component.DATA))
            .toList();
    LifecycleRuns.Last last = runs.last();
    if (last.runs() > 0) {
      answer.put("last_run_duration_in_millis", last.tookMillis());
      answer.put("time_between_starts_in_millis", last.betweenMillis());
    }
    answer.put("data_stream_count", managed.size());
    ArrayNode list = answer.putArray("data_streams");
    for (DataStream stream : managed) {
      List<String> names = stream.indices(Component.DATA);
      list.addObject()
          .put("name", stream.name())
          .put("backing_indices_in_total", names.size())
          .put(
              "backing_indices_in_error",
              (int) names.stream().filter(name -> LifecycleErrors.of(state, name) != null).count());
    }
    return Answer.of(200, answer);
  }
}
