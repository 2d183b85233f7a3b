package dev.holdfast.api.ilm;

import dev.holdfast.api.ilm.StoredPolicies.Mode;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;

/// `POST /_ilm/start`, `POST /_ilm/stop`, `GET /_ilm/status`: whether policies are followed; and
/// `POST /_ilm/migrate_to_data_tiers`, which has nothing to do here and says so.
public final class OperationModeApi {
  private final Metadata metadata;

  public OperationModeApi(Metadata metadata) {
    this.metadata = metadata;
  }

  public Api start() {
    return request -> change(Mode.RUNNING);
  }

  /// Stops once nothing is half done: [PolicyRuns] makes `STOPPED` of it.
  public Api stop() {
    return request ->
        StoredPolicies.mode(metadata.current()) == Mode.STOPPED
            ? Answer.acknowledged()
            : change(Mode.STOPPING);
  }

  public Api status() {
    return request ->
        Answer.of(
            200,
            Json.object().put("operation_mode", StoredPolicies.mode(metadata.current()).name()));
  }

  public Api migrate() {
    return OperationModeApi::refuse;
  }

  private static Answer refuse(ApiRequest request) {
    throw Refusal.badArgument(
        "there are no data tiers to migrate to: shards lie in the object store, and every node"
            + " searches all of them");
  }

  private Answer change(Mode mode) throws InterruptedException {
    metadata.update("lifecycles " + mode, state -> StoredPolicies.with(state, mode));
    return Answer.acknowledged();
  }
}
