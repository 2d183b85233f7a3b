package dev.holdfast.api.cluster.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.world.Json;
import java.util.SortedMap;

/// Shards that cannot be opened because an object of theirs is missing from the store (decision
/// 018), for people.
public final class LostObjects {
  private LostObjects() {}

  /// Every such shard: which object, and how that was found out.
  public static ArrayNode list(ClusterState state) {
    ArrayNode lost = Json.MAPPER.createArrayNode();
    for (ShardId shard : UploadMarks.lost(state)) {
      UploadMark mark = UploadMarks.of(state, shard);
      lost.addObject()
          .put("index", shard.index().name())
          .put("shard", shard.number())
          .put("object", mark.lost())
          .put("reason", mark.why());
    }
    return lost;
  }

  /// Whether a shard has nothing of its own that it could be opened with: it lacks what it was to
  /// begin with, a snapshot's or another index's.
  public static boolean isOfOrigin(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    return index != null && index.origin() != null && !UploadMarks.of(state, shard).isMarked();
  }

  /// What a person can do about it.
  public static String remedy(ClusterState state, ShardId shard) {
    if (isOfOrigin(state, shard)) {
      return "Put the object back: the shard is then opened by itself. Or delete the index, which"
          + " has nothing of its own yet, and restore or resize from something else.";
    }
    return "Put the object back, from a version that the store keeps or from a backup: the shard is"
        + " then opened by itself. Or give up what it had: POST /_holdfast/shards/"
        + shard.index().name()
        + "/"
        + shard.number()
        + "/_accept_loss";
  }

  /// Adds to what `_health_report` says of shards.
  ///
  /// @param damaged objects that some node has found damaged, and how
  static void diagnose(ArrayNode diagnosis, ClusterState state, SortedMap<String, String> damaged) {
    for (ShardId shard : UploadMarks.lost(state)) {
      UploadMark mark = UploadMarks.of(state, shard);
      ObjectNode one = diagnosis.addObject();
      one.put("id", "holdfast:health:shards_availability:diagnosis:lost_object");
      one.put("cause", mark.why());
      one.put("action", remedy(state, shard));
      one.put("help_url", "docs/operating.md");
      ObjectNode affected = one.putObject("affected_resources");
      affected.putArray("indices").add(shard.index().name());
      affected.putArray("objects").add(mark.lost());
    }
    damaged.forEach((key, how) -> {
      ObjectNode one = diagnosis.addObject();
      one.put("id", "holdfast:health:shards_availability:diagnosis:damaged_object");
      one.put("cause", how);
      one.put(
          "action",
          "Put the object back as it was, from a version that the store keeps or from a backup:"
              + " what reads it goes on by itself.");
      one.put("help_url", "docs/operating.md");
      one.putObject("affected_resources").putArray("objects").add(key);
    });
  }
}
