package dev.holdfast.api.cat;

import dev.holdfast.api.search.CountApi;
import dev.holdfast.clusterstate.Metadata;
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
  private final CountApi counts;

  public CatCountApi(Clock clock, Metadata metadata, Searches searches) {
    this.clock = clock;
    this.counts = new CountApi(metadata, searches);
  }

  /// Without a query it counts by one, too: of an alias only what it shows, and each document once
  /// while its shard is being divided.
  @Override
  public CatTable table(ApiRequest request) throws Exception {
    long documents = Math.max(0, counts.count(request, request.body().object()).total());
    boolean withTimes = request.flag("ts", true);
    CatTable table =
        (withTimes ? CatTimes.columns(new CatTable()) : new CatTable())
            .column("count", "dc,docs.count,docsCount", "the document count");
    if (withTimes) {
      long now = clock.epochMillis();
      table.row(CatTimes.epoch(now), CatTimes.timestamp(now), documents);
    } else {
      table.row(documents);
    }
    return table;
  }
}
