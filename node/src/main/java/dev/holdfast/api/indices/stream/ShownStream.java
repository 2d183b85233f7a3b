package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.cluster.health.HealthReader;
import dev.holdfast.api.indices.StreamCreation;
import dev.holdfast.api.indices.lifecycle.StreamLifecycles;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.indices.template.StreamTemplate;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.FailureStore;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A data stream as `GET /_data_stream` shows it.
record ShownStream(ClusterState state, DataStream stream, HealthReader health) {
  /// @param hasDefaults with what its lifecycle does when it does not say
  ObjectNode json(boolean hasDefaults) throws IOException {
    StreamTemplate template = StreamTemplate.of(state, stream.name());
    ObjectNode json = Json.object().put("name", stream.name());
    json.putObject("timestamp_field").put("name", DataStream.TIMESTAMP);
    indices(json, Component.DATA);
    json.put("generation", stream.generation()).put("status", status());
    if (template != null) {
      json.put("template", template.name());
    }
    if (stream.lifecycle() != null) {
      json.set("lifecycle", StreamLifecycles.shown(state, stream, Component.DATA, hasDefaults));
    }
    LifecycleSettings next = new LifecycleSettings(next(template));
    if (next.policy() != null) {
      json.put("ilm_policy", next.policy());
    }
    json.put(
        "next_generation_managed_by", ManagedIndices.manager(state, stream, Component.DATA, next));
    json.put("prefer_ilm", next.prefersPolicy());
    json.put("hidden", stream.isHidden()).put("system", false);
    json.put("allow_custom_routing", stream.allowsCustomRouting());
    json.put("replicated", false);
    json.put("rollover_on_write", stream.rollsOverOnWrite(Component.DATA));
    json.set("settings", IndexSettings.render(IndexSettings.read(stream.settings()), false));
    json.set("mappings", stream.mappings());
    json.put("index_mode", mode());
    if (mode().equals("time_series")) {
      json.putObject("time_series").set("temporal_ranges", ranges());
    }
    ObjectNode event = stream.autoShardingEvent();
    if (event != null) {
      json.set("auto_sharding", event);
    }
    ObjectNode failures = json.putObject("failure_store");
    failures.put("enabled", FailureStore.isEnabled(state, stream));
    failures.put("rollover_on_write", stream.rollsOverOnWrite(Component.FAILURES));
    if (StreamLifecycles.isManaged(state, stream, Component.FAILURES)) {
      failures.set(
          "lifecycle", StreamLifecycles.shown(state, stream, Component.FAILURES, hasDefaults));
    }
    indices(failures, Component.FAILURES);
    return json;
  }

  private void indices(ObjectNode to, Component component) {
    ArrayNode indices = to.putArray("indices");
    for (String name : stream.indices(component)) {
      IndexMetadata index = state.indices().get(name);
      if (index != null) {
        LifecycleSettings lifecycle = LifecycleSettings.of(index);
        ObjectNode shown =
            indices.addObject().put("index_name", name).put("index_uuid", index.id().uuid());
        shown.put("prefer_ilm", lifecycle.prefersPolicy());
        if (lifecycle.policy() != null) {
          shown.put("ilm_policy", lifecycle.policy());
        }
        shown.put("managed_by", ManagedIndices.manager(state, stream, component, lifecycle));
        shown.put("index_mode", index.setting("index.mode", "standard"));
      }
    }
  }

  private SortedMap<String, Object> next(@Nullable StreamTemplate template) {
    return template == null ? new TreeMap<>() : StreamCreation.settings(stream, template);
  }

  /// The times that its indices hold; those that adjoin are one.
  private ArrayNode ranges() {
    SortedMap<Long, Long> ranges = new TreeMap<>();
    for (String name : stream.indices()) {
      IndexMetadata index = state.indices().get(name);
      if (index != null && TimeSeries.is(index.settings())) {
        TimeSeries held = TimeSeries.of(index.settings());
        ranges.merge(held.startMillis(), held.endMillis(), Math::max);
      }
    }
    ArrayNode shown = Json.MAPPER.createArrayNode();
    ObjectNode last = null;
    long end = Long.MIN_VALUE;
    for (Map.Entry<Long, Long> range : ranges.entrySet()) {
      if (last == null || range.getKey() > end) {
        last = shown.addObject().put("start", DateFormat.DEFAULT.format(range.getKey(), null));
        end = range.getValue();
      }
      end = Math.max(end, range.getValue());
      last.put("end", DateFormat.DEFAULT.format(end, null));
    }
    return shown;
  }

  private String mode() {
    IndexMetadata written = state.indices().get(stream.writeIndex());
    return written == null ? "standard" : written.setting("index.mode", "standard");
  }

  private String status() throws IOException {
    return health.of(String.join(",", stream.indices()), ClusterHealth.EVERYTHING).status().name();
  }
}
