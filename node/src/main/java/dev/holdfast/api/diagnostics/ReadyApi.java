package dev.holdfast.api.diagnostics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Json;
import java.util.function.BooleanSupplier;

/// `GET /_holdfast/ready`: whether this node shall be sent requests: 200, or 503 with the reasons
/// why not. Shards that are not open yet are no reason: requests open them.
public final class ReadyApi implements Api {
  private final Metadata metadata;
  private final NodeIdentity self;
  private final BooleanSupplier mayServe;

  /// @param mayServe whether this node has heard of a leader lately enough to answer for others
  public ReadyApi(Metadata metadata, NodeIdentity self, BooleanSupplier mayServe) {
    this.metadata = metadata;
    this.self = self;
    this.mayServe = mayServe;
  }

  @Override
  public Answer handle(ApiRequest request) {
    ClusterState state = metadata.current();
    ObjectNode body = Json.object();
    ArrayNode reasons = Json.MAPPER.createArrayNode();
    if (!state.members().containsKey(self.id())) {
      reasons.add("this node is no member of the cluster");
    } else if (!mayServe.getAsBoolean()) {
      reasons.add("this node has not heard of its leader for too long");
    }
    body.put("ready", reasons.isEmpty());
    body.set("reasons", reasons);
    return Answer.of(reasons.isEmpty() ? 200 : 503, body);
  }
}
