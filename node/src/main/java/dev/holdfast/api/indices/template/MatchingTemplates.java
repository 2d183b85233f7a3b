package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The templates of the cluster, and what they make of the name of a new index: the composable one
/// of the highest priority with its components, else all legacy ones in their order.
public final class MatchingTemplates {
  /// Kinds, as the cluster state keeps them.
  public static final String COMPOSABLE = "index_templates";

  public static final String COMPONENT = "component_templates";
  public static final String LEGACY = "legacy_templates";

  private MatchingTemplates() {}

  /// What templates add to an index.
  ///
  /// @param settings flat, beginning with `index.`
  /// @param aliases as requests write them
  /// @param createsDataStreams name of the template that is for data streams; null for none
  public record Resolved(
      SortedMap<String, Object> settings,
      ObjectNode mapping,
      ObjectNode aliases,
      @Nullable String createsDataStreams) {}

  /// Templates of a kind by name, those included that are always there.
  public static SortedMap<String, ObjectNode> of(ClusterState state, String kind) {
    SortedMap<String, ObjectNode> templates = new TreeMap<>(BuiltInTemplates.of(state, kind));
    JsonNode kept = state.customs().get(kind);
    if (kept != null) {
      kept.properties().forEach(e -> templates.put(e.getKey(), (ObjectNode) e.getValue()));
    }
    return templates;
  }

  public static ClusterState with(
      ClusterState state, String kind, SortedMap<String, ObjectNode> templates) {
    ObjectNode kept = Json.object();
    templates.forEach((name, template) -> {
      if (!BuiltInTemplates.isOwn(kind, name, template)) {
        kept.set(name, template);
      }
    });
    return state.withCustom(kind, kept);
  }

  public static List<String> patterns(JsonNode template) {
    List<String> patterns = new ArrayList<>();
    template.path("index_patterns").forEach(pattern -> patterns.add(pattern.asText()));
    return patterns;
  }

  /// Whether a template is for that name.
  public static boolean isFor(JsonNode template, String index) {
    return patterns(template).stream().anyMatch(pattern -> Wildcards.matches(pattern, index));
  }

  /// The composable template that wins for a name; null for none.
  public static @Nullable String winner(ClusterState state, String index) {
    return of(state, COMPOSABLE).entrySet().stream()
        .filter(e -> isFor(e.getValue(), index))
        .max(
            Comparator.comparingLong(
                (Map.Entry<String, ObjectNode> e) -> e.getValue().path("priority").asLong(0)))
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  /// What the templates make of a name.
  public static Resolved resolve(ClusterState state, String index) {
    String winner = winner(state, index);
    if (winner != null) {
      ObjectNode template = of(state, COMPOSABLE).getOrDefault(winner, Json.object());
      return composed(state, template, template.has("data_stream") ? winner : null);
    }
    List<ObjectNode> legacy =
        of(state, LEGACY).values().stream()
            .filter(template -> isFor(template, index))
            .sorted(Comparator.comparingInt(template -> template.path("order").asInt(0)))
            .toList();
    return merged(legacy, null);
  }

  /// A composable template with its components.
  public static Resolved composed(
      ClusterState state, ObjectNode template, @Nullable String createsDataStreams) {
    SortedMap<String, ObjectNode> components = of(state, COMPONENT);
    List<ObjectNode> layers = new ArrayList<>();
    for (JsonNode name : template.path("composed_of")) {
      ObjectNode component = components.get(name.asText());
      if (component != null && component.get("template") instanceof ObjectNode layer) {
        layers.add(layer);
      }
    }
    if (template.get("template") instanceof ObjectNode layer) {
      layers.add(layer);
    }
    return merged(layers, createsDataStreams);
  }

  private static Resolved merged(List<ObjectNode> layers, @Nullable String createsDataStreams) {
    SortedMap<String, Object> settings = new TreeMap<>();
    ObjectNode mapping = Json.object();
    ObjectNode aliases = Json.object();
    for (ObjectNode layer : layers) {
      settings.putAll(IndexSettings.read(layer.path("settings")));
      if (layer.get("mappings") instanceof ObjectNode own) {
        mapping = TemplateMappings.merge(mapping, own);
      }
      if (layer.get("aliases") instanceof ObjectNode own) {
        aliases.setAll(own);
      }
    }
    settings.values().removeIf(value -> value == IndexSettings.Reset.RESET);
    return new Resolved(settings, mapping, aliases, createsDataStreams);
  }
}
