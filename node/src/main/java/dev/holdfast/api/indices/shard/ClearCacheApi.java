package dev.holdfast.api.indices.shard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.search.Searches;
import dev.holdfast.world.Json;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/// `POST /_cache/clear`, `POST /{index}/_cache/clear`: all caches, or those that the parameters
/// name. Field data take no heap, so for them there is nothing to do.
public final class ClearCacheApi implements Api {
  private final Metadata metadata;
  private final Searches searches;

  public ClearCacheApi(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.searches = searches;
  }

  @Override
  public Answer handle(ApiRequest request) {
    Set<IndexId> indices = new TreeSet<>(Comparator.comparing(IndexId::uuid));
    int shards = 0;
    for (IndexMetadata index :
        IndexBlocks.changeable(
            IndexExpression.resolve(
                metadata.current(),
                request.text("index", ""),
                IndexExpression.Options.SEARCH.of(request)))) {
      indices.add(index.id());
      shards += index.shards();
    }
    boolean queries = request.flag("query", false);
    boolean requests = request.flag("request", false);
    boolean fieldData = request.flag("fielddata", false) || request.has("fields");
    boolean isAll = !queries && !requests && !fieldData;
    searches.clearCaches(indices, queries || isAll, requests || isAll);
    ObjectNode answer = Json.object();
    answer.putObject("_shards").put("total", shards).put("successful", shards).put("failed", 0);
    return Answer.of(200, answer);
  }
}
