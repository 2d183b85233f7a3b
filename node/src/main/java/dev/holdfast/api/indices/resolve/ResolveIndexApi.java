package dev.holdfast.api.indices.resolve;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.text.Wildcards;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `GET`, `POST /_resolve/index/{name}`: which indices and aliases some names stand for.
public final class ResolveIndexApi implements Api {
  private static final IndexExpression.Options TARGETS =
      new IndexExpression.Options(false, true, true, false, false, true);

  private static final List<String> MODES = List.of("standard", "time_series", "logsdb", "lookup");

  private final Metadata metadata;

  public ResolveIndexApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    JsonObject.ofValues("resolve_index_request", request.body().object()).done();
    ClusterState state = metadata.current();
    List<String> names = request.list("name");
    List<String> modes = modes(request);
    IndexExpression.Options options = TARGETS.of(request);
    Set<String> meant =
        IndexExpression.resolve(state, request.required("name"), options).stream()
            .map(index -> index.id().name())
            .collect(Collectors.toSet());
    ObjectNode answer = Json.object();
    ArrayNode indices = answer.putArray("indices");
    SortedMap<String, ArrayNode> aliases = new TreeMap<>();
    for (IndexMetadata index : state.indices().values()) {
      String name = index.id().name();
      boolean isOfMode = modes.isEmpty() || modes.contains(index.setting("index.mode", "standard"));
      if (meant.contains(name) && isOfMode && isMeant(names, name)) {
        indices.add(index(index, DataStreams.owning(state, name)));
      }
      for (Map.Entry<String, ObjectNode> alias : index.aliases().entrySet()) {
        if (isOfMode && isShown(names, alias, options)) {
          aliases.computeIfAbsent(alias.getKey(), _ -> Json.MAPPER.createArrayNode()).add(name);
        }
      }
    }
    ArrayNode streams = Json.MAPPER.createArrayNode();
    for (DataStream stream : DataStreams.all(state)) {
      boolean isShown =
          names.contains(stream.name()) || !stream.isHidden() || options.expandHidden();
      if (isShown && isMeant(names, stream.name())) {
        streams.add(stream(stream));
      }
      stream
          .aliases()
          .fieldNames()
          .forEachRemaining(alias -> {
            if (isMeant(names, alias)) {
              aliases.computeIfAbsent(alias, a -> Json.MAPPER.createArrayNode()).add(stream.name());
            }
          });
    }
    ArrayNode listed = answer.putArray("aliases");
    aliases.forEach((alias, of) -> listed.addObject().put("name", alias).set("indices", of));
    answer.set("data_streams", streams);
    return Answer.of(200, answer);
  }

  /// The modes of indices that are wanted; empty for all.
  private static List<String> modes(ApiRequest request) {
    String given = request.text("mode");
    List<String> modes =
        given == null ? List.of() : List.of(given.toLowerCase(Locale.ROOT).split(",", 0));
    for (String mode : modes) {
      if (!MODES.contains(mode)) {
        throw Refusal.badArgument(
            "["
                + mode
                + "] is an invalid index mode, valid modes are: ["
                + String.join(",", MODES)
                + "]");
      }
    }
    return modes;
  }

  private static ObjectNode stream(DataStream stream) {
    ObjectNode one = Json.object().put("name", stream.name());
    if (!stream.aliases().isEmpty()) {
      ArrayNode aliases = one.putArray("aliases");
      stream.aliases().fieldNames().forEachRemaining(aliases::add);
    }
    ArrayNode indices = one.putArray("backing_indices");
    stream.indices().forEach(indices::add);
    return one.put("timestamp_field", DataStream.TIMESTAMP);
  }

  private static ObjectNode index(IndexMetadata index, @Nullable DataStream stream) {
    ObjectNode one = Json.object().put("name", index.id().name());
    if (!index.aliases().isEmpty()) {
      ArrayNode aliases = one.putArray("aliases");
      index.aliases().keySet().forEach(aliases::add);
    }
    SortedSet<String> attributes = new TreeSet<>(List.of(index.isOpen() ? "open" : "closed"));
    if (index.setting("index.hidden", "false").equals("true")) {
      attributes.add("hidden");
    }
    attributes.forEach(one.putArray("attributes")::add);
    if (stream != null) {
      one.put("data_stream", stream.name());
    }
    return one.put("mode", index.setting("index.mode", "standard"));
  }

  /// Whether an alias is named, or matched by a wildcard that sees it.
  private static boolean isShown(
      List<String> names, Map.Entry<String, ObjectNode> alias, IndexExpression.Options options) {
    String alone = alias.getKey();
    return isMeant(names, alone)
        && (names.contains(alone)
            || names.stream()
                .filter(name -> isMeant(List.of(name), alone))
                .anyMatch(name -> IndexExpression.isShown(alias, name, options)));
  }

  private static boolean isMeant(List<String> names, String name) {
    boolean isMeant = false;
    for (String pattern : names) {
      StopSignal.pollForCancelling();
      if (pattern.startsWith("-")) {
        isMeant &= !Wildcards.matches(pattern.substring(1), name);
      } else {
        isMeant |= pattern.equals("_all") || Wildcards.matches(pattern, name);
      }
    }
    return isMeant;
  }
}
