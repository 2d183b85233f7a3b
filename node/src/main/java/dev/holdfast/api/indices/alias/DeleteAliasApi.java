package dev.holdfast.api.indices.alias;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import java.util.List;

/// `DELETE /{index}/_alias/{name}`.
public final class DeleteAliasApi implements Api {
  private final Metadata metadata;

  public DeleteAliasApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) throws InterruptedException {
    UpdateAliasesApi.apply(
        metadata,
        List.of(new AliasChange.Remove(request.required("index"), request.list("name"), true)));
    return UpdateAliasesApi.done();
  }
}
