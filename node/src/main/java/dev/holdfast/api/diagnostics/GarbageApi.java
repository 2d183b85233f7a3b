package dev.holdfast.api.diagnostics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.stats.TierParts;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.gc.BlobRetention;
import dev.holdfast.indexing.sweep.SweepReport;
import dev.holdfast.translog.NodeLog;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// `GET /_holdfast/gc/explain`: each blob and log file that exists, and who holds it, or since when
/// it is garbage (§6). Owners answer for their shards and their logs, the leader for orphans.
public final class GarbageApi implements Api {
  private final NodeIdentity self;
  private final Metadata metadata;
  private final TierParts tiers;
  private final Broadcast nodes;

  public GarbageApi(NodeIdentity self, Metadata metadata, TierParts tiers, Broadcasts calls) {
    this.self = self;
    this.metadata = metadata;
    this.tiers = tiers;
    this.nodes = calls.call("gc", this::here);
  }

  private JsonNode here(ObjectNode question) throws IOException {
    ObjectNode here = Json.object();
    IndexingTier tier = tiers.indexing();
    if (tier != null) {
      Set<String> wanted = new HashSet<>();
      question.path("shards").forEach(name -> wanted.add(name.asText()));
      ObjectNode shards = here.putObject("shards");
      for (var sight : tier.sights()) {
        ShardId shard = sight.shard();
        if (wanted.contains(name(shard))) {
          shards.set(name(shard), explained(tier, shard));
        }
      }
    }
    NodeLog log = tiers.log();
    if (log != null && question.path("logs").asBoolean()) {
      logFiles(here.putArray("log"), log);
    }
    if (metadata.leaderId().equals(self.id())) {
      sweep(here.putObject("sweep"), tiers.sweep().report());
    }
    return here;
  }

  private static String name(ShardId shard) {
    return shard.index().uuid() + "/" + shard.number();
  }

  private static ArrayNode explained(IndexingTier tier, ShardId shard) throws IOException {
    ArrayNode blobs = Json.object().putArray("blobs");
    try {
      for (BlobRetention fate : tier.explain(shard)) {
        ObjectNode blob = blobs.addObject();
        blob.put("blob", BlobName.of(fate.blob())).put("key", fate.blob().key(shard));
        blob.put("bytes", fate.bytes());
        fate.heldBy().forEach(blob.putArray("held_by")::add);
        blob.put("verdict", verdict(fate));
      }
      for (var batch : tier.pending(shard)) {
        ObjectNode blob = blobs.addObject();
        blob.put("blob", BlobName.of(batch.id())).put("key", batch.id().key(shard));
        blob.put("bytes", batch.bytes());
        blob.putArray("held_by").add("upload pending");
        blob.put("verdict", "not in the store yet");
      }
    } catch (Refusal movedMeanwhile) {
      blobs.addObject().put("verdict", movedMeanwhile.reason());
    }
    return blobs;
  }

  private static String verdict(BlobRetention fate) {
    if (!fate.heldBy().isEmpty()) {
      return "held";
    }
    if (fate.looseMillis() < 0) {
      return "garbage, not looked at yet";
    }
    String since = "garbage since " + fate.looseMillis() + " ms";
    return fate.graceMillis() > 0
        ? since + ", grace for another " + fate.graceMillis() + " ms"
        : since + ", deleted at the next look";
  }

  private void logFiles(ArrayNode files, NodeLog log) {
    log.files()
        .forEach((ordinal, shards) -> {
          ObjectNode file = files.addObject();
          file.put("node", self.id()).put("ordinal", ordinal);
          shards.forEach(file.putArray("needed_by")::add);
          file.put(
              "verdict",
              shards.isEmpty()
                  ? "garbage, goes with the next upload of a shard"
                  : "not all uploaded");
        });
  }

  private static void sweep(ObjectNode sweep, SweepReport report) {
    sweep.put("sweeps", report.sweeps()).put("last_millis", report.lastMillis());
    sweep.put("blobs_seen", report.blobs()).put("foreign_keys", report.foreign());
    sweep.put("dead_log_files", report.logFiles()).put("fences", report.fences());
    sweep.put("unreadable_shards", report.unreadableShards());
    sweep.put("deleted_blobs", report.deletedBlobs());
    sweep.put("deleted_log_files", report.deletedLogFiles());
    sweep.put("deleted_pins", report.deletedPins());
    ObjectNode orphans = sweep.putObject("orphans");
    report
        .orphans()
        .forEach((folder, graceMillis) ->
            orphans.put(folder, "garbage, grace for another " + graceMillis + " ms"));
    sweep.put("trash_objects", report.trash());
    ObjectNode unknown = sweep.putObject("unknown");
    report
        .unknown()
        .forEach((folder, uuid) ->
            unknown.put(
                folder,
                "kept: no index of the cluster, and not known to be deleted; POST"
                    + " /_holdfast/gc/confirm?uuid="
                    + uuid
                    + " lets it go"));
    ObjectNode held = sweep.putObject("dead_logs_held");
    report.logsHeld().forEach((node, shard) -> held.put(node, "newest commit of " + shard));
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    List<ShardId> wanted = WantedShards.of(request, metadata.current());
    ObjectNode question = Json.object();
    ArrayNode names = question.putArray("shards");
    wanted.forEach(shard -> names.add(name(shard)));
    question.put("logs", !request.has("index"));
    Broadcast.Seen seen = nodes.ask(question, request);
    ObjectNode answer = Json.object();
    seen.nameSilent(answer);
    ArrayNode shards = answer.putArray("shards");
    for (ShardId shard : wanted) {
      ObjectNode one = shards.addObject();
      one.put("index", shard.index().name()).put("shard", shard.number());
      String owner = metadata.current().assignment(shard).owner();
      one.put("owner", owner.isEmpty() ? null : owner);
      JsonNode ofOwner = seen.nodes().get(owner);
      JsonNode blobs = ofOwner == null ? null : ofOwner.path("shards").get(name(shard));
      if (blobs == null) {
        one.put("verdict", "no owner answers: nothing is deleted");
      } else {
        one.set("blobs", blobs);
      }
    }
    ArrayNode logs = answer.putArray("log_files");
    seen.nodes().values().forEach(node -> node.path("log").forEach(logs::add));
    seen.nodes().values().stream()
        .filter(node -> node.has("sweep"))
        .forEach(node -> answer.set("sweep", node.get("sweep")));
    return Answer.of(200, answer);
  }
}
