package dev.holdfast.api.indices.shard;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.member.ShownNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `GET /_shard_stores`: where copies of shards are. There is one, in the object store; the node
/// named is the one that serves it.
public final class ShardStoresApi implements Api {
  private static final List<String> STATUSES = List.of("green", "yellow", "red", "all");

  private final Metadata metadata;
  private final NodeIdentity node;

  public ShardStoresApi(Metadata metadata, NodeIdentity node) {
    this.metadata = metadata;
    this.node = node;
  }

  @Override
  public Answer handle(ApiRequest request) {
    List<String> wanted = request.list("status");
    for (String status : wanted) {
      if (!STATUSES.contains(status)) {
        throw Refusal.badArgument("unknown cluster health status [" + status + "]");
      }
    }
    boolean showsGreen = wanted.contains("green") || wanted.contains("all");
    ObjectNode answer = Json.object();
    ObjectNode indices = answer.putObject("indices");
    for (IndexMetadata index :
        IndexBlocks.showable(
            IndexExpression.resolve(
                metadata.current(),
                request.text("index", ""),
                IndexExpression.Options.READ.of(request)))) {
      if (showsGreen) {
        ObjectNode shards = indices.putObject(index.id().name()).putObject("shards");
        for (int number = 0; number < index.shards(); number++) {
          ArrayNode stores = shards.putObject(Integer.toString(number)).putArray("stores");
          ObjectNode store = stores.addObject();
          ShownNode.describe(store.putObject(node.id()), node);
          store.put("allocation_id", index.id().uuid() + "-" + number);
          store.put("allocation", "primary");
        }
      }
    }
    return Answer.of(200, answer);
  }
}
