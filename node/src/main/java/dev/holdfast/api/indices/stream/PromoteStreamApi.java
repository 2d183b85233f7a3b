package dev.holdfast.api.indices.stream;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// `POST /_data_stream/_promote/{name}`: a stream that follows one of another cluster becomes its
/// own. None does here, so each is already.
public final class PromoteStreamApi implements Api {
  private final Metadata metadata;

  public PromoteStreamApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    String name = request.required("name");
    if (DataStreams.of(metadata.current(), name) == null) {
      throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, "data stream [" + name + "] does not exist");
    }
    return Answer.acknowledged();
  }
}
