package dev.holdfast.api.diagnostics;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.health.LostObjects;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.time.Duration;

/// `POST /_holdfast/shards/{index}/{shard}/_accept_loss`: opens a shard that lacks an object with
/// what there is, and says what is lost. Nothing else ever does: a shard is never opened short by
/// itself.
public final class AcceptLossApi implements Api {
  private static final String[] PARAMETERS = {"timeout"};

  public static String[] parameters() {
    return PARAMETERS.clone();
  }

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(25);

  private final World world;
  private final Metadata metadata;

  public AcceptLossApi(World world, Metadata metadata) {
    this.world = world;
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    ShardId shard = shard(request, metadata.current());
    Duration timeout = request.duration("timeout", TIMEOUT);
    UploadMark was = UploadMarks.of(metadata.current(), shard);
    ClusterState _ =
        metadata.update(
            "loss accepted of " + shard,
            state -> {
              UploadMark mark = UploadMarks.of(state, shard);
              if (mark.lost().isEmpty()) {
                throw Refusal.badArgument(
                    "shard " + shard + " lacks no object: there is no loss to accept");
              }
              if (LostObjects.isOfOrigin(state, shard)) {
                throw Refusal.badArgument(
                    "shard "
                        + shard
                        + " lacks ["
                        + mark.lost()
                        + "], which it was to begin with, and has nothing of its own: "
                        + LostObjects.remedy(state, shard));
              }
              return UploadMarks.with(state, shard, mark.withAcceptedLoss());
            });
    return Answer.of(200, answer(shard, was, opened(shard, timeout)));
  }

  private static ShardId shard(ApiRequest request, ClusterState state) {
    String name = request.text("index", "");
    IndexMetadata index = state.indices().get(name);
    if (index == null) {
      throw Refusal.indexNotFound(name);
    }
    int number = request.integer("shard", -1);
    if (number < 0 || number >= index.shards()) {
      throw new Refusal(ErrorType.SHARD_NOT_FOUND, "no such shard")
          .with("index_uuid", index.id().uuid())
          .with("shard", Integer.toString(number))
          .with("index", name);
    }
    return new ShardId(index.id(), number);
  }

  /// The mark of the shard once it is open again, or as it is when the time is over.
  private UploadMark opened(ShardId shard, Duration timeout) throws InterruptedException {
    boolean _ =
        Await.until(
            world, timeout, POLL, () -> !UploadMarks.of(metadata.current(), shard).acceptsLoss());
    return UploadMarks.of(metadata.current(), shard);
  }

  private static ObjectNode answer(ShardId shard, UploadMark was, UploadMark now) {
    boolean isOpen = now.lost().isEmpty();
    ObjectNode answer = Json.object();
    answer.put("acknowledged", true).put("index", shard.index().name());
    answer.put("shard", shard.number()).put("opened", isOpen);
    ObjectNode lost = answer.putObject("lost");
    lost.put("object", was.lost()).put("reason", was.why());
    lost.put("known_max_seq_no", was.maxSeqNo());
    if (isOpen) {
      lost.put("found_max_seq_no", now.maxSeqNo());
      lost.put("operations_min", Math.max(0, was.maxSeqNo() - now.maxSeqNo()));
    }
    return answer;
  }
}
