package dev.holdfast.node.api.search;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.query.SearchSource;
import dev.holdfast.search.SearchResponse;
import dev.holdfast.search.Searches;
import java.util.List;

/// `GET|POST /_search`, `/{index}/_search`.
public final class SearchApi implements Api {
  public static final List<String> PARAMETERS = SearchBody.PARAMETERS;

  private final Metadata metadata;
  private final Searches searches;

  public SearchApi(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.searches = searches;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    ClusterState state = metadata.current();
    IndexExpression.Options options = IndexExpression.Options.SEARCH.of(request);
    SearchSource source = IndexBoosts.resolve(SearchBody.read(request), state, options);
    List<IndexId> indices =
        IndexExpression.resolve(state, request.text("index", ""), options).stream()
            .map(IndexMetadata::id)
            .toList();
    SearchResponse response = searches.search(indices, source, request.isCancelled());
    boolean totalAsInteger = request.flag("rest_total_hits_as_int", false);
    boolean typedKeys = request.flag("typed_keys", false);
    return Answer.of(out -> {
      out.writeStartObject();
      response.write(out, totalAsInteger, typedKeys);
      out.writeEndObject();
    });
  }
}
