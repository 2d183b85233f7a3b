package dev.holdfast.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The caches of all search nodes. A node that does not answer counts as one that has cached
/// nothing: its caches leave the cluster with it.
final class AllCaches {
  private final AllSearchNodes nodes;

  AllCaches(AllSearchNodes nodes) {
    this.nodes = nodes;
  }

  Map<ShardId, CacheFigures> figures() throws IOException {
    Map<ShardId, CacheFigures> all = new HashMap<>();
    for (ObjectNode answer : nodes.ask(NodeQuestion.CACHES, Json.object()).values()) {
      for (JsonNode one : answer.path("shards")) {
        all.merge(TargetJson.shard(one), figures(one), CacheFigures::plus);
      }
    }
    return all;
  }

  void clear(Set<IndexId> indices, boolean filters, boolean requests) {
    ObjectNode body = Json.object().put("filters", filters).put("requests", requests);
    TargetJson.putUuids(body, indices);
    Map<String, ObjectNode> _ = nodes.ask(NodeQuestion.CLEAR_CACHES, body);
  }

  static ObjectNode json(Map<ShardId, CacheFigures> figures) {
    ObjectNode json = Json.object();
    ArrayNode shards = json.putArray("shards");
    figures.forEach((shard, of) -> {
      ObjectNode one = TargetJson.shard(shard);
      one.set("queries", Json.MAPPER.valueToTree(of.queries()));
      one.set("requests", Json.MAPPER.valueToTree(of.requests()));
      shards.add(one);
    });
    return json;
  }

  private static CacheFigures figures(JsonNode json) throws IOException {
    return new CacheFigures(
        Json.MAPPER.treeToValue(json.path("queries"), QueryCacheFigures.class),
        Json.MAPPER.treeToValue(json.path("requests"), RequestCacheFigures.class));
  }
}
