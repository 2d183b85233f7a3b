package dev.holdfast.node.api;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.node.http.ApiRequest;

/// `GET /_cat/count`: how many documents a search can see.
final class CatCountApi implements CatApi.Maker {
  private final Rooms rooms;

  CatCountApi(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public CatTable table(ApiRequest request) throws Exception {
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
    CatTable table =
        CatTimes.columns(new CatTable())
            .column("count", "dc,docs.count,docsCount", "the document count");
    long now = rooms.world().clock().epochMillis();
    table.row(CatTimes.epoch(now), CatTimes.timestamp(now), documents);
    return table;
  }
}
