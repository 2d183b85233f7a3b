package dev.holdfast.api.indices.analysis;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import java.util.List;

/// `POST /{index}/_reload_search_analyzers`: nothing is to be reloaded, since every search takes
/// the newest synonyms; says so of each index.
public final class ReloadAnalyzersApi implements Api {
  private final Metadata metadata;

  public ReloadAnalyzersApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            metadata.current(),
            request.required("index"),
            IndexExpression.Options.SEARCH.of(request));
    int shards = indices.stream().mapToInt(IndexMetadata::shards).sum();
    ObjectNode answer = Json.object();
    answer.putObject("_shards").put("total", shards).put("successful", shards).put("failed", 0);
    ArrayNode details = answer.putArray("reload_details");
    for (IndexMetadata index : indices) {
      ObjectNode one = details.addObject().put("index", index.id().name());
      one.putArray("reloaded_analyzers");
      one.putArray("reloaded_node_ids");
    }
    return Answer.of(200, answer);
  }
}
