package dev.holdfast.api.search.tile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.SearchTargets;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.search.Searches;
import dev.holdfast.search.coordination.SearchManner;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;

/// `GET|POST /{index}/_mvt/{field}/{zoom}/{x}/{y}`: what a search finds in a tile of a map, as a
/// Mapbox vector tile.
public final class VectorTileApi implements Api {
  public static final List<String> PARAMETERS = TileRequest.PARAMETERS;

  private static final String MEDIA_TYPE = "application/vnd.mapbox-vector-tile";

  private final Metadata metadata;
  private final Searches searches;
  private final QueryLookups lookups;

  public VectorTileApi(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.searches = searches;
    this.lookups = new QueryLookups(metadata, searches);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    String index = request.required("index");
    TileRequest tile = TileRequest.of(request);
    ObjectNode body = tile.search();
    lookups.resolve(body, index);
    List<ShardTarget> targets =
        SearchTargets.of(
            metadata.current(),
            index,
            IndexExpression.Options.SEARCH.of(request),
            null,
            null,
            null);
    SearchResponse response =
        searches.searchShards(
            targets, SearchParser.parse(body), SearchManner.PLAIN, request.isCancelled());
    RequestMemory.add(response.heldBytes());
    return Answer.raw(200, MEDIA_TYPE, new TileLayers(tile).of(response.hits(), summary(response)));
  }

  private static JsonNode summary(SearchResponse response) throws IOException {
    try (TokenBuffer out = new TokenBuffer(Json.MAPPER, false)) {
      out.writeStartObject();
      response.withoutHits().write(out, false, false);
      out.writeEndObject();
      return out.asParser().readValueAsTree();
    }
  }
}
