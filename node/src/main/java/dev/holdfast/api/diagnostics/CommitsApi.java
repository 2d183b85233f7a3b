package dev.holdfast.api.diagnostics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.stats.TierParts;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.store.BlobContents;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.upload.PendingBatch;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;

/// `GET /_holdfast/commits`: the blobs of each shard and the compound commits in them, those in the
/// store and those that are being collected (§4). It reads the store: one LIST a shard and one GET
/// a blob, of the newest blobs only.
public final class CommitsApi implements Api {
  public static final List<String> PARAMETERS =
      List.of("index", "shard", "blobs", Broadcast.TIMEOUT);

  /// Blobs read of a shard when the request does not say (`blobs`).
  private static final int BLOBS = 10;

  private static final int BLOBS_MAX = 1000;

  private final Metadata metadata;
  private final TierParts tiers;
  private final ObjectStore looking;
  private final Broadcast nodes;

  public CommitsApi(Metadata metadata, TierParts tiers, ObjectStore looking, Broadcasts calls) {
    this.metadata = metadata;
    this.tiers = tiers;
    this.looking = looking;
    this.nodes = calls.call("commits", _ -> here());
  }

  /// Batches of this node's shards that are not in the store, by index uuid and number.
  private JsonNode here() {
    ObjectNode here = Json.object();
    IndexingTier tier = tiers.indexing();
    if (tier != null) {
      tier.sights()
          .forEach(sight -> {
            List<PendingBatch> pending = tier.pending(sight.shard());
            if (!pending.isEmpty()) {
              ArrayNode batches = here.putArray(name(sight.shard()));
              pending.forEach(batch -> batches.add(batch(batch)));
            }
          });
    }
    return here;
  }

  private static String name(ShardId shard) {
    return shard.index().uuid() + "/" + shard.number();
  }

  private static ObjectNode batch(PendingBatch batch) {
    ObjectNode one = Json.object();
    one.put("blob", BlobName.of(batch.id()));
    one.put("state", batch.isFrozen() ? "uploading" : "collecting");
    one.put("bytes", batch.bytes()).put("age_millis", batch.ageMillis());
    commits(one.putArray("commits"), batch.commits());
    return one;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    int blobs = request.integer("blobs", BLOBS);
    if (blobs < 0 || blobs > BLOBS_MAX) {
      throw Refusal.badArgument(
          "[blobs] must be between 0 and [" + BLOBS_MAX + "], found [" + blobs + "]");
    }
    Broadcast.Seen seen = nodes.ask(Json.object(), request);
    ObjectNode answer = Json.object();
    seen.nameSilent(answer);
    ArrayNode shards = answer.putArray("shards");
    for (ShardId shard : WantedShards.of(request, metadata.current())) {
      ObjectNode one = shards.addObject();
      one.put("index", shard.index().name()).put("shard", shard.number());
      String owner = metadata.current().assignment(shard).owner();
      JsonNode ofOwner = seen.nodes().get(owner);
      ArrayNode pending = one.putArray("not_uploaded");
      if (ofOwner != null) {
        ofOwner.path(name(shard)).forEach(pending::add);
      }
      stored(one, shard, blobs);
    }
    return Answer.of(200, answer);
  }

  private void stored(ObjectNode one, ShardId shard, int most) throws IOException {
    CommitStore store = new CommitStore(looking, shard);
    List<BlobId> there = store.list();
    one.put("blobs_in_store", there.size());
    ArrayNode blobs = one.putArray("blobs");
    for (BlobId id : there.subList(0, Math.min(most, there.size()))) {
      try {
        BlobContents contents = store.contents(id);
        ObjectNode blob = blobs.addObject();
        blob.put("blob", BlobName.of(id)).put("state", "uploaded");
        blob.put("key", id.key(shard));
        blob.put("bytes", contents.bytes()).put("hot_region_bytes", contents.hotBytes());
        commits(blob.putArray("commits"), contents.commits());
      } catch (StoreException.NotFound e) {
        one.put("blobs_in_store", one.path("blobs_in_store").asInt() - 1); // deleted meanwhile
      }
    }
  }

  private static void commits(ArrayNode list, List<CompoundCommit> commits) {
    for (CompoundCommit commit : commits) {
      ObjectNode one = list.addObject();
      one.put("generation", commit.generation());
      one.put("documents", commit.documents());
      one.put("max_seq_no", commit.maxSeqNo());
      one.put("files", commit.files().size());
      one.put("bytes", commit.bytes());
      one.put("created_millis", commit.createdMillis());
      one.putObject("replay_from")
          .put("node", commit.translog().nodeEphemeralId())
          .put("ordinal", commit.translog().ordinal());
      ArrayNode in = one.putArray("in_blobs");
      commit.blobs().forEach(blob -> in.add(BlobName.of(blob)));
    }
  }
}
