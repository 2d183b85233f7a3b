package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `POST /_data_stream/_modify`: takes indices into streams and gives them up, all or nothing.
public final class ModifyStreamsApi implements Api {
  /// Names that one request may copy: some seconds.
  private static final long STEPS_MAX = 20_000_000;

  /// What an action takes beside the names.
  private static final long STEPS_AN_ACTION = 2_000;

  private final Metadata metadata;
  private final TakenIndices taken;

  public ModifyStreamsApi(Metadata metadata, MappingFactory mappings) {
    this.metadata = metadata;
    this.taken = new TakenIndices(mappings);
  }

  /// @param isAddition false to give the index up
  /// @param component of the stream
  private record Action(boolean isAddition, String stream, String index, Component component) {}

  @Override
  public Answer handle(ApiRequest request) throws InterruptedException {
    JsonObject body = JsonObject.of("data_stream_actions", request.body().object());
    List<Action> actions = new ArrayList<>();
    for (JsonNode one : body.required("actions")) {
      requireOne(one);
      for (Map.Entry<String, JsonNode> action : one.properties()) {
        actions.add(read(action.getKey(), action.getValue()));
      }
    }
    body.done();
    if (actions.isEmpty()) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: must specify at least one data stream modification action;");
    }
    metadata.update(
        "modify-data-stream",
        state -> {
          requireFew(actions.size(), state);
          ClusterState changed = state;
          for (Action action : actions) {
            changed = applied(changed, action);
          }
          return changed;
        });
    return Answer.acknowledged();
  }

  private static void requireOne(JsonNode entry) {
    if (!entry.isObject() || entry.isEmpty()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[data_stream_actions] failed to parse field [actions]",
          Refusal.badArgument("each is an object with one operation, found " + entry));
    }
    if (entry.size() > 1) {
      throw Refusal.badArgument("too many data stream operations declared on operation entry");
    }
  }

  /// Each action copies the names of all indices and streams and may read a mapping, while nobody
  /// else changes the cluster state.
  private static void requireFew(int actions, ClusterState state) {
    long actionsMax = STEPS_MAX / (STEPS_AN_ACTION + state.indices().size());
    if (actions > actionsMax) {
      throw Refusal.badArgument(
          "["
              + actions
              + "] actions are too much for one request: send at most ["
              + actionsMax
              + "] at a time");
    }
  }

  private static Action read(String kind, JsonNode given) {
    boolean isAddition = kind.equals("add_backing_index");
    if (!isAddition && !kind.equals("remove_backing_index")) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE, "[data_stream_action] unknown field [" + kind + "]");
    }
    JsonObject action = JsonObject.of(kind, given instanceof ObjectNode ? given : null);
    String stream = action.required("data_stream").asText();
    String index = action.required("index").asText();
    boolean isFailure = action.bool("failure_store", false);
    action.done();
    return new Action(isAddition, stream, index, isFailure ? Component.FAILURES : Component.DATA);
  }

  private ClusterState applied(ClusterState state, Action action) {
    DataStream stream = DataStreams.of(state, action.stream);
    if (stream == null) {
      throw Refusal.badArgument("data stream [" + action.stream + "] not found");
    }
    IndexMetadata index = state.indices().get(action.index);
    if (index == null) {
      throw Refusal.badArgument("index [" + action.index + "] not found");
    }
    return action.isAddition
        ? added(state, stream, index, action.component)
        : DataStreams.with(
            state.withIndex(TakenIndices.shown(index)),
            givenUp(stream, action.index, action.component));
  }

  /// The index stands before those that are there: it is not written to.
  private ClusterState added(
      ClusterState state, DataStream stream, IndexMetadata index, Component component) {
    String name = index.id().name();
    DataStream owner = DataStreams.owning(state, name);
    if (stream.indices(component).contains(name)) {
      return state;
    }
    if (owner != null) {
      boolean isFailure = owner.indices(Component.FAILURES).contains(name);
      throw Refusal.badArgument(
          "cannot add index ["
              + name
              + "] to data stream ["
              + stream.name()
              + "] because it is already a "
              + (isFailure ? "failure store" : "backing")
              + " index on data stream ["
              + owner.name()
              + "]");
    }
    if (!index.aliases().isEmpty()) {
      throw Refusal.badArgument(
          "cannot add index ["
              + name
              + "] to data stream ["
              + stream.name()
              + "] until its aliases "
              + index.aliases().keySet()
              + " are removed");
    }
    List<String> names = new ArrayList<>(List.of(name));
    names.addAll(stream.indices(component));
    return DataStreams.with(
        state.withIndex(taken.taken(index)), stream.withIndices(component, names));
  }

  private static DataStream givenUp(DataStream stream, String index, Component component) {
    if (!stream.indices(component).contains(index)) {
      throw Refusal.badArgument(
          "index [" + index + "] is not part of data stream [" + stream.name() + "]");
    }
    boolean isOnlyFailure =
        component == Component.FAILURES && stream.indices(component).size() == 1;
    if (index.equals(stream.writeIndex(component)) && !isOnlyFailure) {
      throw Refusal.badArgument(
          "cannot remove backing index ["
              + index
              + "] of data stream ["
              + stream.name()
              + "] because it is the write index of the data stream");
    }
    return stream.without(index);
  }
}
