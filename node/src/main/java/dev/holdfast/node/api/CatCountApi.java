package dev.holdfast.node.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.node.api.search.CountApi;
import dev.holdfast.node.http.ApiRequest;

/// `GET|POST /_cat/count`: how many documents a search can see, or those that a query finds.
final class CatCountApi implements CatApi.Maker {
  private final Rooms rooms;
  private final CountApi counts;

  CatCountApi(Rooms rooms) {
    this.rooms = rooms;
    this.counts = new CountApi(rooms.metadata(), rooms.searches());
  }

  @Override
  public CatTable table(ApiRequest request) throws Exception {
    ObjectNode body = request.body().object();
    boolean isAll = body.isEmpty() && !request.has("q");
    long documents = isAll ? all(request) : Math.max(0, counts.count(request, body).total());
    CatTable table =
        CatTimes.columns(new CatTable())
            .column("count", "dc,docs.count,docsCount", "the document count");
    long now = rooms.world().clock().epochMillis();
    table.row(CatTimes.epoch(now), CatTimes.timestamp(now), documents);
    return table;
  }

  private long all(ApiRequest request) throws Exception {
    long documents = 0;
    for (IndexMetadata index :
        IndexExpression.resolve(
            rooms.metadata().current(),
            request.text("index", ""),
            IndexExpression.Options.SEARCH)) {
      for (int number = 0; number < index.shards(); number++) {
        documents += rooms.searches().documents(new ShardId(index.id(), number));
      }
    }
    return documents;
  }
}
