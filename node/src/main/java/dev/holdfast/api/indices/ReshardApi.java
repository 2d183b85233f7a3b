package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/// `POST /{index}/_reshard`: an index, or the one that a data stream is written to, gets more
/// shards while it is written and searched (decision 031); `GET`: how far that is; `DELETE`: it is
/// given up, as long as no new shard is there.
public final class ReshardApi {
  /// Parameters of a beginning.
  public static final List<String> PARAMETERS =
      List.of("master_timeout", "timeout", "wait_for_completion");

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(20);

  private final World world;
  private final Metadata metadata;

  public ReshardApi(World world, Metadata metadata) {
    this.world = world;
    this.metadata = metadata;
  }

  public Api begin() {
    return this::begin;
  }

  public Api show() {
    return this::show;
  }

  public Api giveUp() {
    return this::giveUp;
  }

  private Answer begin(ApiRequest request) throws InterruptedException {
    boolean isAwaited = request.flag("wait_for_completion", false);
    Duration max = request.duration("timeout", TIMEOUT);
    IndexMetadata index = SingleIndex.of(metadata.current(), request.required("index"), true);
    JsonObject body = JsonObject.ofValues("reshard_request", request.body().object());
    int to = body.integer("number_of_shards", 0);
    body.done();
    if (to == 0) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: [number_of_shards] is required;");
    }
    requireOrdinary(index);
    IndexId id = index.id();
    ClusterState _ =
        metadata.update(
            "reshard [" + id.name() + "] to [" + to + "]", state -> begun(state, id, to));
    if (isAwaited) {
      BooleanSupplier isLeft = request.isCancelled();
      boolean _ = Await.until(world, max, POLL, () -> isDone(id) || isLeft.getAsBoolean());
    }
    ObjectNode answer = Json.object().put("acknowledged", true);
    answer.setAll(shown(newest(metadata.current(), id)));
    return isAwaited || !request.has("timeout")
        ? Answer.of(200, answer)
        : Answer.of(200, answer).warn("[timeout] has no effect without [wait_for_completion]");
  }

  private Answer giveUp(ApiRequest request) throws InterruptedException {
    IndexMetadata index = SingleIndex.of(metadata.current(), request.required("index"), true);
    IndexId id = index.id();
    IndexSplit split = index.split();
    if (split == null || !split.isUnderWay(index.shards())) {
      throw Refusal.badArgument("index [" + id.name() + "] is not being split");
    }
    ClusterState _ =
        metadata.update(
            "give the split of [" + id.name() + "] up",
            state -> {
              ClusterState after = OnlineSplit.givenUp(state, id);
              IndexBlocks.requireChangeable(newest(state, id));
              return after;
            });
    ObjectNode answer = Json.object().put("acknowledged", true);
    answer.setAll(shown(newest(metadata.current(), id)));
    return Answer.of(200, answer);
  }

  private Answer show(ApiRequest request) {
    IndexMetadata index = SingleIndex.of(metadata.current(), request.required("index"), true);
    IndexBlocks.requireShowable(index);
    return Answer.of(200, shown(index));
  }

  /// Whether there is nothing to wait for: all shards are there, or the index is not.
  private boolean isDone(IndexId id) {
    IndexMetadata index = metadata.current().indices().get(id.name());
    IndexSplit split = index == null ? null : index.split();
    return index == null
        || !index.id().equals(id)
        || split == null
        || !split.isUnderWay(index.shards());
  }

  private static IndexMetadata newest(ClusterState state, IndexId id) {
    IndexMetadata index = state.indices().get(id.name());
    if (index == null || !index.id().equals(id)) {
      throw Refusal.indexNotFound(id.name());
    }
    return index;
  }

  private static ObjectNode shown(IndexMetadata index) {
    int wanted = index.shardsWanted();
    return Json.object()
        .put("index", index.id().name())
        .put("number_of_shards", index.shards())
        .put("target_number_of_shards", wanted)
        .put("original_number_of_shards", index.shardsAtFirst())
        .put("completed", index.shards() == wanted);
  }

  /// The state in which an index is to have that many shards.
  ///
  /// @throws Refusal when it cannot have them, or its metadata must not change; when the cluster
  ///   would have too many
  public static ClusterState begun(ClusterState state, IndexId id, int to) {
    ClusterState begun = OnlineSplit.begun(state, id, to);
    IndexMetadata index = newest(state, id);
    IndexBlocks.requireChangeable(index);
    requireOrdinary(index);
    ResizeApi.requireRoutingSlots(index, to);
    IndexCreation.requireRoom(state, to - index.shardsWanted());
    return begun;
  }

  /// Refuses what has its documents where their ids alone do not say, and what has none.
  private static void requireOrdinary(IndexMetadata index) {
    if (TimeSeries.is(index.settings())) {
      throw Refusal.badArgument(
          "resharding is not supported because the index ["
              + index.id().name()
              + "] is in time_series mode");
    }
    if (index.settings().keySet().stream().anyMatch(n -> n.startsWith(IndexSettings.MOUNTED))) {
      throw Refusal.badArgument(
          "resharding is not supported because the index ["
              + index.id().name()
              + "] is a mounted snapshot");
    }
  }
}
