package dev.holdfast.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The caches of all search nodes. A node that does not answer counts as one that has cached
/// nothing: it is about to leave the cluster, and its caches with it.
final class AllCaches {
  private static final Logger LOG = LoggerFactory.getLogger(AllCaches.class);

  private final Metadata metadata;
  private final SearchNodes nodes;

  AllCaches(Metadata metadata, SearchNodes nodes) {
    this.metadata = metadata;
    this.nodes = nodes;
  }

  Map<ShardId, CacheFigures> figures() throws IOException {
    Map<ShardId, CacheFigures> all = new HashMap<>();
    for (ObjectNode answer : ask(NodeQuestion.CACHES, Json.object())) {
      for (JsonNode one : answer.path("shards")) {
        all.merge(TargetJson.shard(one), figures(one), CacheFigures::plus);
      }
    }
    return all;
  }

  void clear(Set<IndexId> indices, boolean filters, boolean requests) throws IOException {
    ObjectNode body = Json.object().put("filters", filters).put("requests", requests);
    ArrayNode uuids = body.putArray("uuids");
    indices.forEach(index -> uuids.add(index.uuid()));
    List<ObjectNode> _ = ask(NodeQuestion.CLEAR_CACHES, body);
  }

  private List<ObjectNode> ask(NodeQuestion question, ObjectNode body) throws IOException {
    List<ObjectNode> answers = new ArrayList<>();
    for (Member member : metadata.current().members().values()) {
      if (!member.roles().contains(Role.SEARCH)) {
        continue;
      }
      try {
        answers.add(nodes.member(member.id()).ask(question, body));
      } catch (Network.UnreachableException e) {
        LOG.debug("a search node can't be asked about its caches [node={}]", member.id(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while waiting for a node", e);
      }
    }
    return answers;
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
