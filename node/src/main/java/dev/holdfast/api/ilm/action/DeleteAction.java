package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `delete`: the index goes, and with the last index of a data stream the stream.
final class DeleteAction implements LifecycleAction {
  @Override
  public String name() {
    return "delete";
  }

  @Override
  public ObjectNode read(JsonObject body) {
    return Json.object()
        .put("delete_searchable_snapshot", body.bool("delete_searchable_snapshot", true));
  }

  @Override
  public List<Step> steps(ObjectNode body) {
    return List.of(
        TimeSeriesEnd.ofStream(name()),
        new Step(
            "delete",
            context -> {
              requireDeletable(context.state(), context.index(), context.policy());
              return Outcome.done(state -> without(state, context));
            }));
  }

  private static ClusterState without(ClusterState state, StepContext context) {
    IndexMetadata index = state.indices().get(context.name());
    if (index == null || !index.id().equals(context.index().id())) {
      return state;
    }
    requireDeletable(state, index, context.policy());
    DataStream stream = DataStreams.owning(state, context.name());
    return stream != null && isOnly(stream, context.name())
        ? BackingIndices.withoutStream(state, stream)
        : BackingIndices.without(state, index);
  }

  private static boolean isOnly(DataStream stream, String index) {
    return stream.indices().equals(List.of(index))
        && stream.indices(DataStream.Component.FAILURES).isEmpty();
  }

  private static void requireDeletable(ClusterState state, IndexMetadata index, String policy) {
    IndexBlocks.requireDeletable(index);
    String name = index.id().name();
    DataStream stream = DataStreams.owning(state, name);
    if (stream != null
        && name.equals(stream.writeIndex(DataStream.Component.DATA))
        && !isOnly(stream, name)) {
      throw Refusal.badArgument(
          "index ["
              + name
              + "] is the write index for data stream ["
              + stream.name()
              + "]. stopping execution of lifecycle ["
              + policy
              + "] as a data stream's write index cannot be deleted. manually rolling over the"
              + " index will resume the execution of the policy as the index will not be the data"
              + " stream's write index anymore");
    }
  }
}
