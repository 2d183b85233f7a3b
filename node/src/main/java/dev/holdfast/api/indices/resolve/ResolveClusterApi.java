package dev.holdfast.api.indices.resolve;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.Version;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `GET /_resolve/cluster`, `/_resolve/cluster/{name}`: whether this cluster, the only one there
/// is, has what some names stand for.
public final class ResolveClusterApi implements Api {
  private static final IndexExpression.Options TARGETS =
      new IndexExpression.Options(false, true, true, true, false, true);

  private final Metadata metadata;

  public ResolveClusterApi(Metadata metadata) {
    this.metadata = metadata;
  }

  private static void requireNoOptions(ApiRequest request) {
    List<String> given = IndexExpression.PARAMETERS.stream().filter(request::has).toList();
    if (!given.isEmpty()) {
      throw Refusal.badArgument(
          "No index options are allowed on _resolve/cluster when no index expression is specified,"
              + " but received: "
              + given);
    }
  }

  @Override
  public Answer handle(ApiRequest request) {
    ObjectNode answer = Json.object();
    String names = request.text("name");
    if (names == null) {
      requireNoOptions(request);
      return Answer.of(200, answer);
    }
    ObjectNode local =
        answer.putObject("(local)").put("connected", true).put("skip_unavailable", false);
    ClusterState state = metadata.current();
    try {
      boolean isMatching = !IndexExpression.resolve(state, names, TARGETS.of(request)).isEmpty();
      local.put("matching_indices", isMatching);
      local
          .putObject("version")
          .put("number", Version.API)
          .put("build_flavor", "default")
          .put("minimum_wire_compatibility_version", Version.WIRE_COMPATIBLE)
          .put("minimum_index_compatibility_version", Version.INDEX_COMPATIBLE);
    } catch (Refusal e) {
      if (e.type() != ErrorType.INDEX_NOT_FOUND) {
        throw e;
      }
      local.put("error", e.reason());
    }
    return Answer.of(200, answer);
  }
}
