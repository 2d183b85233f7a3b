package dev.holdfast.node.api;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Draining;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.node.NodeIdentity;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;

/// `POST /_nodes/{node}/_drain`: that node gives its shards to others and takes no more, so that it
/// can be stopped without anyone noticing.
final class DrainApi implements Api {
  private final NodeIdentity self;
  private final Metadata metadata;

  DrainApi(NodeIdentity self, Metadata metadata) {
    this.self = self;
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    String named = request.text("node", "");
    ClusterState _ =
        metadata.update("drain " + named, state -> Draining.begin(state, id(state, named)));
    return Answer.of(200, Json.object().put("acknowledged", true));
  }

  private String id(ClusterState state, String named) {
    if (named.equals("_local")) {
      return self.id();
    }
    for (Member member : state.members().values()) {
      if (member.id().equals(named) || member.name().equals(named)) {
        return member.id();
      }
    }
    throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, "node [" + named + "] not found");
  }
}
