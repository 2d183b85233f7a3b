package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.StreamCreation;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.SettingWarnings;
import dev.holdfast.api.indices.template.StreamTemplate;
import dev.holdfast.api.indices.template.TemplateMappings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.Json;
import dev.holdfast.world.text.JsonMemory;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// `/_data_stream/{name}/_settings` and `/_mappings`: what the next backing indices of a stream
/// have beside what their template says. Indices that there are stay as they are.
public final class StreamPartsApi {
  private final Metadata metadata;
  private final MappingFactory mappings;

  public StreamPartsApi(Metadata metadata, MappingFactory mappings) {
    this.metadata = metadata;
    this.mappings = mappings;
  }

  public Api getSettings() {
    return request -> {
      ClusterState state = metadata.current();
      ObjectNode answer = Json.object();
      ArrayNode list = answer.putArray("data_streams");
      for (DataStream stream : StreamTargets.of(state, request)) {
        list.add(settings(state, stream));
      }
      return Answer.of(200, answer);
    };
  }

  public Api getMappings() {
    return request -> {
      ClusterState state = metadata.current();
      ObjectNode answer = Json.object();
      ArrayNode list = answer.putArray("data_streams");
      for (DataStream stream : StreamTargets.of(state, request)) {
        list.add(mapping(state, stream));
      }
      return Answer.of(200, answer);
    };
  }

  public Api putSettings() {
    return request -> {
      SortedMap<String, Object> given = IndexSettings.read(request.body().kept());
      SortedMap<String, Object> set = new TreeMap<>(given);
      set.values().removeIf(value -> value == IndexSettings.Reset.RESET);
      IndexSettings.check(set);
      IndexSettings.requireNoPrivate(set);
      Answer answer =
          changed(
              request,
              "applied_to_data_stream",
              stream -> {
                SortedMap<String, Object> now = IndexSettings.read(stream.settings());
                now.putAll(given);
                now.values().removeIf(value -> value == IndexSettings.Reset.RESET);
                return stream.with(
                    "settings", now.isEmpty() ? null : IndexSettings.render(now, true));
              },
              true);
      return SettingWarnings.warn(answer, given.keySet());
    };
  }

  public Api putMappings() {
    return request -> {
      ObjectNode given = request.body().kept();
      int streams = StreamTargets.of(metadata.current(), request).size();
      RequestMemory.add(Math.max(0, streams - 1) * JsonMemory.of(given)); // each has its own
      return changed(
          request,
          "applied_to_data_stream",
          stream ->
              stream.with("mappings", TemplateMappings.merge(stream.mappings(), given.deepCopy())),
          false);
    };
  }

  private Answer changed(
      ApiRequest request, String applied, UnaryOperator<DataStream> change, boolean isOfSettings)
      throws InterruptedException {
    boolean isDryRun = request.flag("dry_run", false);
    ClusterState before = metadata.current();
    for (DataStream stream : StreamTargets.of(before, request)) {
      requireMakesIndices(before, change.apply(stream));
    }
    if (!isDryRun) {
      StreamTargets.change(metadata, request, "change-data-stream", change);
    }
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("data_streams");
    for (DataStream stream : StreamTargets.of(metadata.current(), request)) {
      DataStream now = isDryRun ? change.apply(stream) : stream;
      ObjectNode one = list.addObject().put("name", now.name()).put(applied, true);
      ClusterState state = metadata.current();
      one.setAll(isOfSettings ? settings(state, now) : mapping(state, now));
      if (isOfSettings) {
        ObjectNode results = one.putObject("index_settings_results");
        ArrayNode toStream = results.putArray("applied_to_data_stream_only");
        IndexSettings.read(now.settings()).keySet().forEach(toStream::add);
        results.putArray("applied_to_data_stream_and_backing_indices");
      }
    }
    return Answer.of(200, answer);
  }

  /// What a stream's next index would be made with must be an index.
  private void requireMakesIndices(ClusterState state, DataStream stream) {
    StreamTemplate template = StreamTemplate.require(state, stream.name());
    SortedMap<String, Object> settings = StreamCreation.settings(stream, template);
    IndexSettings.check(settings);
    var _ =
        mappings.create(StreamCreation.mapping(stream, template), settings).merge(Json.object());
  }

  private static ObjectNode settings(ClusterState state, DataStream stream) {
    ObjectNode one = Json.object().put("name", stream.name());
    one.set("settings", IndexSettings.render(IndexSettings.read(stream.settings()), false));
    SortedMap<String, Object> effective =
        StreamCreation.settings(stream, StreamTemplate.require(state, stream.name()));
    one.set("effective_settings", IndexSettings.render(effective, false));
    return one;
  }

  private static ObjectNode mapping(ClusterState state, DataStream stream) {
    ObjectNode one = Json.object().put("name", stream.name());
    one.set("mappings", stream.mappings());
    one.set(
        "effective_mappings",
        StreamCreation.mapping(stream, StreamTemplate.require(state, stream.name())));
    return one;
  }
}
