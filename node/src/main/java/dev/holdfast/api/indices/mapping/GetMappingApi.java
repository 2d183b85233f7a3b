package dev.holdfast.api.indices.mapping;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;

/// `GET /_mapping`, `GET /{index}/_mapping`.
public final class GetMappingApi implements Api {
  private final Metadata metadata;

  public GetMappingApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    ObjectNode answer = Json.object();
    for (IndexMetadata index :
        IndexExpression.resolve(
            metadata.current(),
            request.text("index", ""),
            IndexExpression.Options.READ.of(request))) {
      IndexBlocks.requireShowable(index);
      answer.putObject(index.id().name()).set("mappings", index.mapping());
    }
    return Answer.of(200, answer);
  }
}
