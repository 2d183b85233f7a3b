package dev.holdfast.node.api;

import static dev.holdfast.node.http.BodyRule.LINES;
import static dev.holdfast.node.http.BodyRule.NONE;
import static dev.holdfast.node.http.BodyRule.OPTIONAL;
import static dev.holdfast.node.http.BodyRule.REQUIRED;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.document.BulkApi;
import dev.holdfast.node.api.document.DeleteDocumentApi;
import dev.holdfast.node.api.document.DocumentReads;
import dev.holdfast.node.api.document.GetDocumentApi;
import dev.holdfast.node.api.document.GetSourceApi;
import dev.holdfast.node.api.document.IndexDocumentApi;
import dev.holdfast.node.api.document.MultiGetApi;
import dev.holdfast.node.api.document.UpdateApi;
import dev.holdfast.node.api.document.WriteRequests;
import dev.holdfast.node.api.index.CreateIndexApi;
import dev.holdfast.node.api.index.DeleteIndexApi;
import dev.holdfast.node.api.index.FlushApi;
import dev.holdfast.node.api.index.GetIndexApi;
import dev.holdfast.node.api.index.GetMappingApi;
import dev.holdfast.node.api.index.GetSettingsApi;
import dev.holdfast.node.api.index.IndexCreation;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.node.api.index.IndexStatsApi;
import dev.holdfast.node.api.index.PutMappingApi;
import dev.holdfast.node.api.index.PutSettingsApi;
import dev.holdfast.node.api.index.RefreshApi;
import dev.holdfast.node.api.ingest.Ingest;
import dev.holdfast.node.api.search.AsyncSearchApi;
import dev.holdfast.node.api.search.AsyncSearches;
import dev.holdfast.node.api.search.CountApi;
import dev.holdfast.node.api.search.MultiSearchApi;
import dev.holdfast.node.api.search.PointInTimeApi;
import dev.holdfast.node.api.search.ScrollApi;
import dev.holdfast.node.api.search.Scrolls;
import dev.holdfast.node.api.search.SearchApi;
import dev.holdfast.node.http.Routes;
import java.util.ArrayList;
import java.util.List;

/// The APIs about indices, documents and searches.
final class DataApis {
  private DataApis() {}

  static void add(Routes routes, Rooms rooms, Ingest ingest) {
    IndexCreation creation = new IndexCreation(rooms.world(), rooms.metadata(), rooms.mappings());
    indices(routes, rooms, creation);
    shards(routes, rooms);
    documents(routes, rooms, creation, ingest);
    searches(routes, rooms);
  }

  private static List<String> targets(String... more) {
    List<String> all = new ArrayList<>(IndexExpression.PARAMETERS);
    all.addAll(List.of(more));
    return all;
  }

  private static void indices(Routes routes, Rooms rooms, IndexCreation creation) {
    GetMappingApi getMapping = new GetMappingApi(rooms.metadata());
    PutMappingApi putMapping = new PutMappingApi(rooms.metadata(), rooms.mappings());
    GetSettingsApi getSettings = new GetSettingsApi(rooms.metadata());
    PutSettingsApi putSettings = new PutSettingsApi(rooms.metadata());
    List<String> metadata =
        targets("local", "master_timeout", "timeout", "flat_settings", "include_defaults");
    List<String> change =
        targets(
            "master_timeout",
            "timeout",
            "write_index_only",
            "flat_settings",
            "preserve_existing",
            "reopen");
    routes
        .on(
            "PUT",
            "/{index}",
            OPTIONAL,
            new CreateIndexApi(creation, rooms.indexing()),
            "master_timeout",
            "timeout",
            "wait_for_active_shards")
        .on(
            "GET|HEAD",
            "/{index}",
            NONE,
            new GetIndexApi(rooms.metadata()),
            targets("local", "master_timeout", "flat_settings", "include_defaults", "features"))
        .on(
            "DELETE",
            "/{index}",
            NONE,
            new DeleteIndexApi(rooms.metadata()),
            targets("master_timeout", "timeout"))
        .on("GET", "/_mapping", NONE, getMapping, metadata)
        .on("GET", "/_mappings", NONE, getMapping, metadata)
        .on("GET", "/{index}/_mapping", NONE, getMapping, metadata)
        .on("GET", "/{index}/_mappings", NONE, getMapping, metadata)
        .on("PUT|POST", "/{index}/_mappings", REQUIRED, putMapping, change)
        .on("PUT|POST", "/{index}/_mapping", REQUIRED, putMapping, change)
        .on("GET", "/_settings", NONE, getSettings, metadata)
        .on("GET", "/_settings/{name}", NONE, getSettings, metadata)
        .on("GET", "/{index}/_settings", NONE, getSettings, metadata)
        .on("GET", "/{index}/_settings/{name}", NONE, getSettings, metadata)
        .on("PUT", "/_settings", REQUIRED, putSettings, change)
        .on("PUT", "/{index}/_settings", REQUIRED, putSettings, change);
  }

  private static void shards(Routes routes, Rooms rooms) {
    RefreshApi refresh = new RefreshApi(rooms.metadata(), rooms.indexing());
    FlushApi flush = new FlushApi(rooms.metadata(), rooms.indexing());
    IndexStatsApi stats = new IndexStatsApi(rooms.metadata(), rooms.indexing(), rooms.searches());
    List<String> flushParameters = targets("force", "wait_if_ongoing");
    List<String> statsParameters =
        targets(
            "level",
            "fields",
            "completion_fields",
            "fielddata_fields",
            "groups",
            "include_segment_file_sizes",
            "include_unloaded_segments",
            "forbid_closed_indices");
    routes
        .on("GET|POST", "/_refresh", NONE, refresh, targets())
        .on("GET|POST", "/{index}/_refresh", NONE, refresh, targets())
        .on("GET|POST", "/_flush", NONE, flush, flushParameters)
        .on("GET|POST", "/{index}/_flush", NONE, flush, flushParameters)
        .on("GET", "/_stats", NONE, stats, statsParameters)
        .on("GET", "/_stats/{metric}", NONE, stats, statsParameters)
        .on("GET", "/{index}/_stats", NONE, stats, statsParameters)
        .on("GET", "/{index}/_stats/{metric}", NONE, stats, statsParameters);
  }

  private static void documents(Routes routes, Rooms rooms, IndexCreation creation, Ingest ingest) {
    WriteRequests writes =
        new WriteRequests(rooms.world(), rooms.metadata(), rooms.indexing(), creation, ingest);
    DocumentReads reads = new DocumentReads(rooms.metadata(), rooms.searches(), rooms.indexing());
    IndexDocumentApi index = new IndexDocumentApi(writes, false);
    BulkApi bulk = new BulkApi(writes);
    MultiGetApi multiGet = new MultiGetApi(rooms.world(), reads);
    routes
        .on("PUT|POST", "/_bulk", LINES, bulk, BulkApi.PARAMETERS)
        .on("PUT|POST", "/{index}/_bulk", LINES, bulk, BulkApi.PARAMETERS)
        .on("POST", "/{index}/_doc", REQUIRED, index, IndexDocumentApi.PARAMETERS)
        .on("PUT|POST", "/{index}/_doc/{id}", REQUIRED, index, IndexDocumentApi.PARAMETERS)
        .on(
            "PUT|POST",
            "/{index}/_create/{id}",
            REQUIRED,
            new IndexDocumentApi(writes, true),
            IndexDocumentApi.PARAMETERS)
        .on("POST", "/{index}/_update/{id}", OPTIONAL, new UpdateApi(writes), UpdateApi.PARAMETERS)
        .on(
            "DELETE",
            "/{index}/_doc/{id}",
            NONE,
            new DeleteDocumentApi(writes),
            DeleteDocumentApi.PARAMETERS)
        .on(
            "GET|HEAD",
            "/{index}/_doc/{id}",
            NONE,
            new GetDocumentApi(reads),
            GetDocumentApi.PARAMETERS)
        .on(
            "GET|HEAD",
            "/{index}/_source/{id}",
            NONE,
            new GetSourceApi(reads),
            GetDocumentApi.PARAMETERS)
        .on("GET|POST", "/_mget", REQUIRED, multiGet, GetDocumentApi.PARAMETERS)
        .on("GET|POST", "/{index}/_mget", REQUIRED, multiGet, GetDocumentApi.PARAMETERS);
  }

  private static void searches(Routes routes, Rooms rooms) {
    SearchApi search = new SearchApi(rooms.metadata(), rooms.searches());
    CountApi count = new CountApi(rooms.metadata(), rooms.searches());
    MultiSearchApi multiSearch =
        new MultiSearchApi(rooms.world(), rooms.metadata(), rooms.searches());
    ScrollApi scroll = new ScrollApi(new Scrolls(rooms.metadata(), rooms.searches()));
    AsyncSearchApi async = new AsyncSearchApi(new AsyncSearches(rooms.world()), search);
    PointInTimeApi pit = new PointInTimeApi(rooms.metadata(), rooms.searches());
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
            async.get(),
            "keep_alive",
            "typed_keys",
            "wait_for_completion_timeout",
            "return_intermediate_results")
        .on("GET", "/_async_search/status/{id}", NONE, async.status(), "keep_alive")
        .on("DELETE", "/_async_search/{id}", NONE, async.delete())
        .on("POST", "/{index}/_pit", OPTIONAL, pit.open(), PointInTimeApi.PARAMETERS)
        .on("DELETE", "/_pit", REQUIRED, pit.close())
        .on("GET|POST", "/_count", OPTIONAL, count, CountApi.PARAMETERS)
        .on("GET|POST", "/{index}/_count", OPTIONAL, count, CountApi.PARAMETERS)
        .on("GET|POST", "/_msearch", LINES, multiSearch, MultiSearchApi.PARAMETERS)
        .on("GET|POST", "/{index}/_msearch", LINES, multiSearch, MultiSearchApi.PARAMETERS);
  }
}
