package dev.holdfast.api.diagnostics;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.DeletedIndices;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `POST /_holdfast/gc/confirm?uuid=…`: a person says that what the store holds of those indices
/// may go, so that the sweep takes it away though it cannot know, or though it is much at once.
public final class GarbageConfirmApi implements Api {
  private final Metadata metadata;

  public GarbageConfirmApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    List<String> uuids = List.of(request.text("uuid", "").split(",", -1));
    if (uuids.contains("")) {
      throw Refusal.badArgument(
          "[uuid] must name the indices that may go: see GET /_holdfast/gc/explain");
    }
    ClusterState _ =
        metadata.update(
            "what is left of " + uuids + " may go",
            state -> {
              state.indices().values().stream()
                  .filter(index -> uuids.contains(index.id().uuid()))
                  .findFirst()
                  .ifPresent(index -> {
                    throw Refusal.badArgument(
                        "["
                            + index.id().uuid()
                            + "] is of the index ["
                            + index.id().name()
                            + "]: delete the index");
                  });
              return DeletedIndices.confirm(state, uuids);
            });
    return Answer.of(200, Json.object().put("acknowledged", true));
  }
}
