package dev.holdfast.api.diagnostics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.stats.TierParts;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.notice.IndexingShardInfo;
import dev.holdfast.search.SearchTier;
import dev.holdfast.search.copy.SearchCopyInfo;
import dev.holdfast.world.Json;
import java.util.Objects;
import java.util.TreeSet;

/// `GET /_holdfast/shards`: where each shard is, how far it is, and how far its copies are.
public final class ShardsApi implements Api {
  private final Metadata metadata;
  private final TierParts tiers;
  private final Broadcast nodes;

  public ShardsApi(Metadata metadata, TierParts tiers, Broadcasts calls) {
    this.metadata = metadata;
    this.tiers = tiers;
    this.nodes = calls.call("shards", _ -> here());
  }

  /// The shards of this node, by index uuid and number: those it indexes, those it searches.
  private JsonNode here() {
    ObjectNode here = Json.object();
    ObjectNode indexing = here.putObject("indexing");
    IndexingTier owned = tiers.indexing();
    if (owned != null) {
      owned.sights().forEach(sight -> indexing.set(name(sight.shard()), sight(sight)));
    }
    ObjectNode copies = here.putObject("copies");
    SearchTier search = tiers.search();
    if (search != null) {
      search.sights().forEach(sight -> copies.set(name(sight.shard()), sight(sight)));
    }
    return here;
  }

  private static String name(ShardId shard) {
    return shard.index().uuid() + "/" + shard.number();
  }

  private static ObjectNode sight(IndexingShardInfo shard) {
    ObjectNode sight = Json.object();
    sight.put("state", shard.state()).put("primary_term", shard.primaryTerm());
    IndexingShardInfo.Open open = shard.open();
    if (open == null) {
      return sight;
    }
    sight.put("generation", open.generation());
    sight.put("uploaded_generation", open.uploadedGeneration());
    sight
        .putObject("not_uploaded")
        .put("commits", open.pendingCommits())
        .put("bytes", open.pendingBytes())
        .put("log_operations", open.logOperations())
        .put("log_bytes", open.logBytes())
        .put("replay_millis", open.replayMillis());
    sight.put("idle_millis", open.idleMillis());
    sight.put("write_load", open.writeLoad()).put("bytes", open.bytes());
    sight
        .putObject("recovery")
        .put("from_generation", open.opened().fromGeneration())
        .put("replayed_operations", open.opened().replayed())
        .put("millis", open.opened().millis());
    ObjectNode told = sight.putObject("told");
    open.copies()
        .forEach((member, copy) -> {
          ObjectNode one = told.putObject(member);
          one.put("generation", copy.generation()).put("refresh_lag_millis", copy.lagMillis());
          copy.inUse().forEach(one.putArray("in_use")::add);
        });
    return sight;
  }

  private static ObjectNode sight(SearchCopyInfo copy) {
    ObjectNode sight = Json.object();
    sight
        .put("state", copy.state())
        .put("primary_term", copy.primaryTerm())
        .put("generation", copy.generation())
        .put("since_search_millis", copy.sinceSearchMillis());
    copy.inUse().forEach(sight.putArray("in_use")::add);
    return sight;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    ClusterState state = metadata.current();
    ObjectNode answer = Json.object();
    answer.put("state_version", state.version()).put("leader", metadata.leaderId());
    Broadcast.Seen seen = nodes.ask(Json.object(), request);
    seen.nameSilent(answer);
    var shards = answer.putArray("shards");
    for (ShardId shard : WantedShards.of(request, state)) {
      shards.add(shard(state, shard, seen));
    }
    return Answer.of(200, answer);
  }

  private static ObjectNode shard(ClusterState state, ShardId shard, Broadcast.Seen seen) {
    ShardAssignment place = state.assignment(shard);
    IndexMetadata index = Objects.requireNonNull(state.indices().get(shard.index().name()));
    ObjectNode one = Json.object();
    one.put("index", shard.index().name());
    one.put("uuid", shard.index().uuid());
    one.put("shard", shard.number());
    one.put("primary_term", index.primaryTerms().get(shard.number()));
    one.put("owner", orNull(place.owner()));
    one.put("target", orNull(place.target()));
    JsonNode owned = ofNode(seen, place.owner(), "indexing", shard);
    JsonNode told = owned.path("told");
    ObjectNode indexing =
        owned instanceof ObjectNode known
            ? known.deepCopy().without("told")
            : Json.object().put("state", place.owner().isEmpty() ? "unassigned" : "unknown");
    UploadMark mark = UploadMarks.of(state, shard);
    if (mark.isShort()) {
      indexing.put("state", "unassigned");
    }
    one.set("indexing", indexing);
    if (mark.isMarked() || !mark.lost().isEmpty()) {
      one.set("in_store", UploadMarks.shown(mark));
    }
    var copies = one.putArray("copies");
    TreeSet<String> members = new TreeSet<>(place.copies().keySet());
    told.fieldNames().forEachRemaining(members::add);
    for (String member : members) {
      copies.add(copy(place, member, told.path(member), ofNode(seen, member, "copies", shard)));
    }
    return one;
  }

  private static ObjectNode copy(
      ShardAssignment place, String member, JsonNode told, JsonNode searched) {
    ObjectNode copy = Json.object();
    copy.put("node", member);
    ShardAssignment.Copy assigned = place.copies().get(member);
    copy.put("assigned", assigned == null ? null : assigned.name());
    if (searched instanceof ObjectNode known) {
      copy.setAll(known);
    } else {
      copy.put("state", "unknown");
    }
    if (told.has("refresh_lag_millis")) {
      copy.set("refresh_lag_millis", told.get("refresh_lag_millis"));
    }
    return copy;
  }

  private static JsonNode ofNode(Broadcast.Seen seen, String member, String kind, ShardId shard) {
    JsonNode node = seen.nodes().get(member);
    return node == null ? Json.object().path("") : node.path(kind).path(name(shard));
  }

  private static @org.jspecify.annotations.Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
