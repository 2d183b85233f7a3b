package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.LINES;
import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.broadcast.OwnedRequests;
import dev.holdfast.api.indices.UnnamedIndex;
import dev.holdfast.api.search.AsyncSearchApi;
import dev.holdfast.api.search.AsyncSearches;
import dev.holdfast.api.search.CountApi;
import dev.holdfast.api.search.ExplainApi;
import dev.holdfast.api.search.MultiSearchApi;
import dev.holdfast.api.search.PointInTimeApi;
import dev.holdfast.api.search.ScrollApi;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.api.search.SearchApi;
import dev.holdfast.api.search.SearchShardsApi;
import dev.holdfast.api.search.TermVectorsApi;
import dev.holdfast.api.search.TermsEnumApi;
import dev.holdfast.api.search.ValidateQueryApi;
import dev.holdfast.api.search.caps.FieldCapsApi;
import dev.holdfast.api.search.tile.VectorTileApi;
import dev.holdfast.api.stats.SearchUsage;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;

/// The APIs about searches, and what fields and terms there are for them.
final class SearchApis {
  private SearchApis() {}

  static void add(Routes routes, ApiDependencies rooms, OwnedRequests owned, SearchUsage usage) {
    SearchApi search = new SearchApi(rooms.metadata(), rooms.searches(), usage);
    CountApi count = new CountApi(rooms.metadata(), rooms.searches());
    MultiSearchApi multiSearch =
        new MultiSearchApi(rooms.world(), rooms.metadata(), rooms.searches(), usage);
    ScrollApi scroll = new ScrollApi(new Scrolls(rooms.metadata(), rooms.searches()));
    AsyncSearchApi async =
        new AsyncSearchApi(
            rooms.metadata(),
            new AsyncSearches(rooms.world(), rooms.metadata(), rooms.identity().id()),
            search);
    PointInTimeApi pit = new PointInTimeApi(rooms.world(), rooms.metadata(), rooms.searches());
    routes
        .on("GET|POST", "/_search", OPTIONAL, search, SearchApi.PARAMETERS)
        .on("GET|POST", "/{index}/_search", OPTIONAL, search, SearchApi.PARAMETERS)
        .on("GET|POST", "/_search/scroll", OPTIONAL, scroll.next(), ScrollApi.PARAMETERS)
        .on(
            "GET|POST",
            "/_search/scroll/{scroll_id}",
            OPTIONAL,
            scroll.next(),
            ScrollApi.PARAMETERS)
        .on("DELETE", "/_search/scroll", OPTIONAL, scroll.clear(), "scroll_id")
        .on("DELETE", "/_search/scroll/{scroll_id}", OPTIONAL, scroll.clear(), "scroll_id")
        .on("POST", "/_async_search", OPTIONAL, async.submit(), AsyncSearchApi.PARAMETERS)
        .on("POST", "/{index}/_async_search", OPTIONAL, async.submit(), AsyncSearchApi.PARAMETERS)
        .on(
            "GET",
            "/_async_search/{id}",
            NONE,
            ofAsync(owned, "async-search", async.get()),
            "keep_alive",
            "typed_keys",
            "wait_for_completion_timeout",
            "return_intermediate_results")
        .on(
            "GET",
            "/_async_search/status/{id}",
            NONE,
            ofAsync(owned, "async-search-status", async.status()),
            "keep_alive")
        .on(
            "DELETE",
            "/_async_search/{id}",
            NONE,
            ofAsync(owned, "async-search-delete", async.delete()))
        .on("POST", "/{index}/_pit", OPTIONAL, pit.open(), PointInTimeApi.PARAMETERS)
        .on(
            "POST",
            "/_pit",
            OPTIONAL,
            UnnamedIndex.refused("[index] is not specified"),
            "keep_alive")
        .on("DELETE", "/_pit", REQUIRED, pit.close())
        .on("GET|POST", "/_count", OPTIONAL, count, CountApi.PARAMETERS)
        .on("GET|POST", "/{index}/_count", OPTIONAL, count, CountApi.PARAMETERS)
        .on("GET|POST", "/_msearch", LINES, multiSearch, MultiSearchApi.PARAMETERS)
        .on("GET|POST", "/{index}/_msearch", LINES, multiSearch, MultiSearchApi.PARAMETERS);
    inspecting(routes, rooms);
  }

  /// Each node keeps its own async searches, and clients ask any.
  private static Api ofAsync(OwnedRequests owned, String name, Api here) {
    return owned.about(
        name,
        here,
        request -> AsyncSearches.node(request.text("id", "")),
        "wait_for_completion_timeout",
        AsyncSearchApi::isRunning);
  }

  private static void inspecting(Routes routes, ApiDependencies rooms) {
    ValidateQueryApi validate = new ValidateQueryApi(rooms.metadata(), rooms.searches());
    TermsEnumApi terms =
        new TermsEnumApi(rooms.metadata(), rooms.searches(), rooms.world().clock());
    TermVectorsApi vectors = new TermVectorsApi(rooms.world(), rooms.metadata(), rooms.searches());
    SearchShardsApi shards = new SearchShardsApi(rooms.metadata(), rooms.identity());
    FieldCapsApi caps =
        new FieldCapsApi(rooms.world(), rooms.metadata(), rooms.searches(), rooms.mappings());
    routes
        .on(
            "GET|POST",
            "/{index}/_explain/{id}",
            OPTIONAL,
            new ExplainApi(rooms.metadata(), rooms.searches()),
            ExplainApi.PARAMETERS)
        .on("GET|POST", "/_validate/query", OPTIONAL, validate, ValidateQueryApi.PARAMETERS)
        .on("GET|POST", "/{index}/_validate/query", OPTIONAL, validate, ValidateQueryApi.PARAMETERS)
        .on("GET|POST", "/{index}/_terms_enum", REQUIRED, terms, TermsEnumApi.PARAMETERS)
        .on("GET|POST", "/{index}/_termvectors", REQUIRED, vectors::one, TermVectorsApi.PARAMETERS)
        .on(
            "GET|POST",
            "/{index}/_termvectors/{id}",
            OPTIONAL,
            vectors::one,
            TermVectorsApi.PARAMETERS)
        .on("GET|POST", "/_mtermvectors", OPTIONAL, vectors::several, TermVectorsApi.OF_SEVERAL)
        .on(
            "GET|POST",
            "/{index}/_mtermvectors",
            OPTIONAL,
            vectors::several,
            TermVectorsApi.OF_SEVERAL)
        .on("GET|POST", "/_search_shards", OPTIONAL, shards, SearchShardsApi.PARAMETERS)
        .on("GET|POST", "/{index}/_search_shards", OPTIONAL, shards, SearchShardsApi.PARAMETERS)
        .on(
            "GET|POST",
            "/{index}/_mvt/{field}/{zoom}/{x}/{y}",
            OPTIONAL,
            new VectorTileApi(rooms.metadata(), rooms.searches()),
            VectorTileApi.PARAMETERS)
        .on("GET|POST", "/_field_caps", OPTIONAL, caps, FieldCapsApi.PARAMETERS)
        .on("GET|POST", "/{index}/_field_caps", OPTIONAL, caps, FieldCapsApi.PARAMETERS);
  }
}
