package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.template.MatchingTemplates;
import dev.holdfast.api.indices.template.StreamTemplate;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a snapshot keeps of the cluster beside its indices: persistent settings, templates,
/// pipelines, scripts, synonyms, lifecycle policies.
final class GlobalState {
  /// Kinds of metadata that users make, and that mean the same in another cluster.
  private static final List<String> KINDS =
      List.of(
          MatchingTemplates.COMPOSABLE,
          MatchingTemplates.COMPONENT,
          MatchingTemplates.LEGACY,
          "pipelines",
          "scripts",
          "synonyms",
          "lifecycle_policies");

  /// What snapshots of earlier builds, which do not say what kinds they know, have none of.
  private static final String YOUNGER = "lifecycle_policies";

  private GlobalState() {}

  static ObjectNode of(ClusterState state) {
    ObjectNode global = Json.object();
    ObjectNode settings = global.putObject("settings");
    state.settings().forEach((name, value) -> settings.set(name, Json.MAPPER.valueToTree(value)));
    KINDS.forEach(global.putArray("kinds")::add);
    ObjectNode customs = global.putObject("customs");
    for (String kind : KINDS) {
      JsonNode custom = state.customs().get(kind);
      if (custom != null) {
        customs.set(kind, custom);
      }
    }
    return global;
  }

  /// A text, or a list of texts.
  private static Object value(JsonNode node) {
    if (!node.isArray()) {
      return node.asText();
    }
    List<String> texts = new ArrayList<>();
    node.forEach(one -> texts.add(one.asText()));
    return texts;
  }

  /// A state with that in place of what it has; legacy templates of other names stay, as in
  /// Elasticsearch.
  static ClusterState restored(ClusterState state, JsonNode global) {
    TreeMap<String, Object> settings = new TreeMap<>();
    global
        .path("settings")
        .properties()
        .forEach(one -> settings.put(one.getKey(), value(one.getValue())));
    boolean isOfToday = global.has("kinds");
    ClusterState restored = state.withSettings(settings);
    for (String kind : KINDS) {
      if (kind.equals(YOUNGER) && !isOfToday) {
        continue;
      }
      JsonNode custom = global.path("customs").path(kind);
      if (kind.equals(MatchingTemplates.LEGACY)) {
        restored = restored.withCustom(kind, merged(state.customs().get(kind), custom));
        continue;
      }
      restored =
          custom.isMissingNode() ? restored.withoutCustom(kind) : restored.withCustom(kind, custom);
    }
    return restored;
  }

  /// Data streams that no template is for any more, as Elasticsearch has it: only legacy ones are
  /// merged.
  static List<String> streamsWithout(ClusterState state) {
    return DataStreams.all(state).stream()
        .map(DataStream::name)
        .filter(name -> StreamTemplate.nameFor(state, name).isEmpty())
        .toList();
  }

  private static ObjectNode merged(@Nullable JsonNode there, JsonNode custom) {
    ObjectNode merged = there instanceof ObjectNode kept ? kept.deepCopy() : Json.object();
    custom.properties().forEach(one -> merged.set(one.getKey(), one.getValue()));
    return merged;
  }
}
