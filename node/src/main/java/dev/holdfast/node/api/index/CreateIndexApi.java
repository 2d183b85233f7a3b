package dev.holdfast.node.api.index;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;

/// `PUT /{index}`.
public final class CreateIndexApi implements Api {
  private final IndexCreation creation;

  public CreateIndexApi(IndexCreation creation) {
    this.creation = creation;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    IndexMetadata index = creation.create(request.required("index"), request.body().object());
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeBooleanField("acknowledged", true);
      out.writeBooleanField("shards_acknowledged", true);
      out.writeStringField("index", index.id().name());
      out.writeEndObject();
    });
  }
}
