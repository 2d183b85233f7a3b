package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.member.ShownNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `GET|POST /_search_shards`, `/{index}/_search_shards`: which shards a search would ask.
public final class SearchShardsApi implements Api {
  public static final List<String> PARAMETERS = parameters();

  /// What is missing has no shards, unless the request wants to hear of it.
  private static final IndexExpression.Options LENIENT =
      new IndexExpression.Options(true, true, true, false, false, false);

  private final Metadata metadata;
  private final NodeIdentity identity;

  public SearchShardsApi(Metadata metadata, NodeIdentity identity) {
    this.metadata = metadata;
    this.identity = identity;
  }

  private static List<String> parameters() {
    List<String> all = new ArrayList<>(IndexExpression.PARAMETERS);
    all.addAll(List.of("local", "master_timeout", "preference", "routing"));
    return List.copyOf(all);
  }

  @Override
  public Answer handle(ApiRequest request) {
    ClusterState state = metadata.current();
    String expression = request.text("index", "");
    IndexExpression.Options options = LENIENT.of(request);
    List<ShardTarget> targets =
        SearchTargets.told(
            state, expression, options, request.text("routing"), request.text("preference"));
    ObjectNode answer = Json.object();
    ObjectNode nodes = answer.putObject("nodes");
    if (!targets.isEmpty()) {
      ShownNode.describe(nodes.putObject(identity.id()), identity);
    }
    ObjectNode indices = answer.putObject("indices");
    Map<String, JsonNode> filters = new LinkedHashMap<>();
    for (ShardTarget target : targets) {
      JsonNode filter = target.filter();
      if (filter != null) {
        filters.put(target.shard().index().name(), filter);
      }
    }
    for (IndexMetadata index :
        IndexBlocks.showable(IndexExpression.resolve(state, expression, options))) {
      ObjectNode shown = indices.putObject(index.id().name());
      List<String> aliases =
          index.aliases().keySet().stream()
              .filter(alias -> List.of(expression.split(",")).contains(alias))
              .toList();
      if (!aliases.isEmpty()) {
        var names = shown.putArray("aliases");
        aliases.forEach(names::add);
      }
      JsonNode filter = filters.get(index.id().name());
      if (filter != null) {
        shown.set("filter", filter);
      }
    }
    var shards = answer.putArray("shards");
    for (ShardTarget target : targets) {
      ObjectNode copy = shards.addArray().addObject();
      copy.put("state", "STARTED");
      copy.put("primary", true);
      copy.put("node", identity.id());
      copy.putNull("relocating_node");
      copy.put("shard", target.shard().number());
      copy.put("index", target.shard().index().name());
      copy.putObject("allocation_id").put("id", target.shard().index().uuid());
      copy.putObject("relocation_failure_info").put("failed_attempts", 0);
    }
    return Answer.of(200, answer);
  }
}
