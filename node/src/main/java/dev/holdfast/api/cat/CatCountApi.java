package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.CountApi;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.search.Searches;
import dev.holdfast.world.Clock;
import java.util.List;

/// `GET|POST /_cat/count`: how many documents a search can see, or those that a query finds.
public final class CatCountApi implements CatApi.Maker {
  /// Its own, beside those of every table.
  public static final List<String> PARAMETERS =
      List.of("analyze_wildcard", "analyzer", "default_operator", "df", "lenient", "q");

  private final Clock clock;
  private final Metadata metadata;
  private final Searches searches;
  private final CountApi counts;

  public CatCountApi(Clock clock, Metadata metadata, Searches searches) {
    this.clock = clock;
    this.metadata = metadata;
    this.searches = searches;
    this.counts = new CountApi(metadata, searches);
  }

  @Override
  public CatTable table(ApiRequest request) throws Exception {
    ObjectNode body = request.body().object();
    boolean isAll = body.isEmpty() && !request.has("q");
    long documents = isAll ? all(request) : Math.max(0, counts.count(request, body).total());
    CatTable table =
        CatTimes.columns(new CatTable())
            .column("count", "dc,docs.count,docsCount", "the document count");
    long now = clock.epochMillis();
    table.row(CatTimes.epoch(now), CatTimes.timestamp(now), documents);
    return table;
  }

  private long all(ApiRequest request) throws Exception {
    long documents = 0;
    for (IndexMetadata index :
        IndexExpression.resolve(
            metadata.current(), request.text("index", ""), IndexExpression.Options.SEARCH)) {
      for (int number = 0; number < index.shards(); number++) {
        documents += searches.documents(new ShardId(index.id(), number));
      }
    }
    return documents;
  }
}
