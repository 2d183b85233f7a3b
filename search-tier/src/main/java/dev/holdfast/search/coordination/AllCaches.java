package dev.holdfast.search.coordination;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The caches of all search nodes. A node that does not answer counts as one that has cached
/// nothing: its caches leave the cluster with it.
public final class AllCaches {
  private final AllSearchNodes nodes;

  public AllCaches(AllSearchNodes nodes) {
    this.nodes = nodes;
  }

  public Map<ShardId, CacheFigures> figures() throws IOException {
    Map<ShardId, CacheFigures> all = new HashMap<>();
    for (ObjectNode answer : nodes.ask(NodeQuestion.CACHES, Json.object()).values()) {
      for (JsonNode one : answer.path("shards")) {
        all.merge(TargetJson.shard(one), CacheFigures.of(one), CacheFigures::plus);
      }
    }
    return all;
  }

  public void clear(Set<IndexId> indices, boolean filters, boolean requests) {
    ObjectNode body = Json.object().put("filters", filters).put("requests", requests);
    TargetJson.putUuids(body, indices);
    Map<String, ObjectNode> _ = nodes.ask(NodeQuestion.CLEAR_CACHES, body);
  }
}
