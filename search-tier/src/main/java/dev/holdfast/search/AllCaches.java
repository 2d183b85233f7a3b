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
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The caches of all search nodes, asked side by side. A node that does not answer in time counts
/// as one that has cached nothing: it is about to leave the cluster, and its caches with it.
final class AllCaches {
  private static final Logger LOG = LoggerFactory.getLogger(AllCaches.class);

  private static final Duration WAIT_MAX = Duration.ofSeconds(5);

  private final World world;
  private final Metadata metadata;
  private final SearchNodes nodes;

  AllCaches(World world, Metadata metadata, SearchNodes nodes) {
    this.world = world;
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

  void clear(Set<IndexId> indices, boolean filters, boolean requests) {
    ObjectNode body = Json.object().put("filters", filters).put("requests", requests);
    ArrayNode uuids = body.putArray("uuids");
    indices.forEach(index -> uuids.add(index.uuid()));
    List<ObjectNode> _ = ask(NodeQuestion.CLEAR_CACHES, body);
  }

  private List<ObjectNode> ask(NodeQuestion question, ObjectNode body) {
    Map<String, CompletableFuture<ObjectNode>> asking = new TreeMap<>();
    for (Member member : metadata.current().members().values()) {
      if (member.roles().contains(Role.SEARCH)) {
        asking.put(member.id(), asked(member.id(), question, body));
      }
    }
    long startNanos = world.clock().nanoTime();
    List<ObjectNode> answers = new ArrayList<>();
    asking.forEach((id, answer) -> {
      Duration left = WAIT_MAX.minusNanos(world.clock().nanoTime() - startNanos);
      try {
        answers.add(world.sleeper().get(answer, left.isNegative() ? Duration.ZERO : left));
      } catch (ExecutionException | TimeoutException e) {
        LOG.debug("a search node does not say what its caches do [node={}]", id, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while waiting for a node", e);
      }
    });
    return answers;
  }

  private CompletableFuture<ObjectNode> asked(String id, NodeQuestion question, ObjectNode body) {
    CompletableFuture<ObjectNode> answer = new CompletableFuture<>();
    Tasks.Task _ =
        world
            .tasks()
            .start(
                "caches",
                () -> {
                  try {
                    answer.complete(nodes.member(id).ask(question, body));
                  } catch (Throwable e) {
                    answer.completeExceptionally(e);
                    throw e;
                  }
                });
    return answer;
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
