package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// The template of a data stream: what its next backing index is made with, and what the stream
/// itself begins with.
///
/// @param name of the template
/// @param indices what it and its components add to an index
/// @param lifecycle of streams that begin; null for none
/// @param options of streams that begin; null for none
public record StreamTemplate(
    String name,
    boolean isHidden,
    boolean allowsCustomRouting,
    MatchingTemplates.Resolved indices,
    @Nullable ObjectNode lifecycle,
    @Nullable ObjectNode options) {

  /// The template that makes a data stream of a name; null when the name would be an index.
  public static @Nullable StreamTemplate of(ClusterState state, String stream) {
    String winner = MatchingTemplates.winner(state, stream);
    if (winner == null) {
      return null;
    }
    ObjectNode template =
        Objects.requireNonNull(
            MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE).get(winner));
    JsonNode given = template.get("data_stream");
    if (given == null) {
      return null;
    }
    return new StreamTemplate(
        winner,
        given.path("hidden").asBoolean(false),
        given.path("allow_custom_routing").asBoolean(false),
        MatchingTemplates.composed(state, template, winner),
        layered(state, template, "lifecycle"),
        layered(state, template, "data_stream_options"));
  }

  /// As [#of].
  ///
  /// @throws Refusal `illegal_argument_exception` when there is none
  public static StreamTemplate require(ClusterState state, String stream) {
    StreamTemplate template = of(state, stream);
    if (template != null) {
      return template;
    }
    String winner = MatchingTemplates.winner(state, stream);
    throw Refusal.badArgument(
        winner == null
            ? "no matching index template found for data stream [" + stream + "]"
            : "matching index template ["
                + winner
                + "] for data stream ["
                + stream
                + "] has no data stream template");
  }

  /// The name of the template, if one still is for the stream; empty for none.
  public static String nameFor(ClusterState state, String stream) {
    String winner = MatchingTemplates.winner(state, stream);
    ObjectNode template =
        winner == null
            ? null
            : MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE).get(winner);
    return winner == null || template == null || !template.has("data_stream") ? "" : winner;
  }

  /// Members of the components, then of the template, each over those before it.
  static @Nullable ObjectNode layered(ClusterState state, ObjectNode template, String member) {
    SortedMap<String, ObjectNode> components =
        MatchingTemplates.of(state, MatchingTemplates.COMPONENT);
    ObjectNode merged = null;
    for (JsonNode component : template.path("composed_of")) {
      ObjectNode layer = components.get(component.asText());
      if (layer != null) {
        merged = merged(merged, layer.path("template").get(member));
      }
    }
    return merged(merged, template.path("template").get(member));
  }

  private static @Nullable ObjectNode merged(@Nullable ObjectNode under, @Nullable JsonNode over) {
    if (over == null) {
      return under;
    }
    if (!(over instanceof ObjectNode object)) {
      return null; // an explicit null takes away what came before
    }
    ObjectNode both = under == null ? Json.object() : under.deepCopy();
    for (var member : object.properties()) {
      JsonNode value = member.getValue().deepCopy();
      ObjectNode inner = both.get(member.getKey()) instanceof ObjectNode before ? before : null;
      both.set(
          member.getKey(),
          value instanceof ObjectNode ? Objects.requireNonNull(merged(inner, value)) : value);
    }
    return both;
  }
}
