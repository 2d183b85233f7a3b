package dev.holdfast.api.nodes;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.allocation.Draining;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;

/// `POST /_nodes/{node}/_drain`: that node gives its shards to others and takes no more, so that it
/// can be stopped without anyone noticing.
public final class DrainApi implements Api {
  private final NodeIdentity self;
  private final Metadata metadata;

  public DrainApi(NodeIdentity self, Metadata metadata) {
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
    List<String> called = new ArrayList<>();
    for (Member member : state.members().values()) {
      if (member.id().equals(named)) {
        return named;
      }
      if (member.name().equals(named)) {
        called.add(member.id());
      }
    }
    if (called.size() > 1) {
      // As they are unless somebody names them: which is emptied must not be left to chance.
      throw Refusal.badArgument(
          called.size() + " nodes are called [" + named + "]: say which by its id, of " + called);
    }
    if (called.size() == 1) {
      return called.getFirst();
    }
    throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, "node [" + named + "] not found");
  }
}
