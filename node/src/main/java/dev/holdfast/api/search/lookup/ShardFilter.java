package dev.holdfast.api.search.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.query.inspection.MatchInspection;
import dev.holdfast.search.Searches;
import dev.holdfast.world.Json;
import dev.holdfast.world.StopSignal;
import java.io.IOException;

/// The `index_filter` of a request: which shards it is about.
///
/// @param query that a document of the shard must match
public record ShardFilter(Searches searches, JsonNode query) {
  /// Whether the shard has a document that matches; asks it, unless nobody waits any more.
  public boolean matches(ShardId shard) throws IOException {
    StopSignal.lookForCancelling();
    ObjectNode question = Json.object();
    question.set("query", query);
    return searches.ask(shard, MatchInspection.NAME, question).path("matches").asBoolean();
  }
}
