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
import dev.holdfast.document.mapping.MappingShape;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.Json;
import dev.holdfast.world.text.JsonMemory;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// `/_data_stream/{name}/_settings` and `/_mappings`: what the next backing indices of a stream
/// have beside what their template says. Those that there are get some of the settings at once.
public final class StreamPartsApi {
  private final Metadata metadata;
  private final StreamCreation streams;

  public StreamPartsApi(Metadata metadata, StreamCreation streams) {
    this.metadata = metadata;
    this.streams = streams;
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
      IndexSettings.requirePublic(set);
      Answer answer =
          changed(
              request,
              stream -> {
                SortedMap<String, Object> now = IndexSettings.read(stream.settings());
                now.putAll(given);
                now.values().removeIf(value -> value == IndexSettings.Reset.RESET);
                return stream.with(
                    "settings", now.isEmpty() ? null : IndexSettings.render(now, true));
              },
              given.keySet());
      return SettingWarnings.warn(answer, given.keySet());
    };
  }

  public Api putMappings() {
    return request -> {
      ObjectNode given = request.body().kept();
      MappingShape.check(given);
      int streams = StreamTargets.of(metadata.current(), request).size();
      RequestMemory.add(Math.max(0, streams - 1) * JsonMemory.of(given)); // each has its own
      return changed(
          request,
          stream ->
              stream.with("mappings", TemplateMappings.merge(stream.mappings(), given.deepCopy())),
          null);
    };
  }

  /// @param settings names of those that are given; null for mappings
  private Answer changed(
      ApiRequest request, UnaryOperator<DataStream> change, @Nullable Set<String> settings)
      throws InterruptedException {
    boolean isDryRun = request.flag("dry_run", false);
    ClusterState before = metadata.current();
    for (DataStream stream : StreamTargets.of(before, request)) {
      streams.requireNext(change.apply(stream));
    }
    if (!isDryRun) {
      StreamTargets.change(
          metadata,
          request,
          "change-data-stream",
          change,
          (state, stream) ->
              settings == null ? state : StreamIndexSettings.applied(state, stream, settings));
    }
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("data_streams");
    for (DataStream stream : StreamTargets.of(metadata.current(), request)) {
      DataStream now = isDryRun ? change.apply(stream) : stream;
      ObjectNode one = list.addObject().put("name", now.name());
      one.put("applied_to_data_stream", true);
      ClusterState state = metadata.current();
      one.setAll(settings == null ? mapping(state, now) : settings(state, now));
      if (settings != null) {
        StreamIndexSettings.tell(settings, one.putObject("index_settings_results"));
      }
    }
    return Answer.of(200, answer);
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
