package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.LINES;
import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.document.BulkApi;
import dev.holdfast.api.document.DeleteDocumentApi;
import dev.holdfast.api.document.DocumentReads;
import dev.holdfast.api.document.GetDocumentApi;
import dev.holdfast.api.document.GetSourceApi;
import dev.holdfast.api.document.IndexDocumentApi;
import dev.holdfast.api.document.MultiGetApi;
import dev.holdfast.api.document.UpdateApi;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.document.reindex.ReindexApi;
import dev.holdfast.api.document.reindex.UpdateByQueryApi;
import dev.holdfast.api.indices.downsample.DownsampleApi;
import dev.holdfast.api.indices.downsample.Downsampling;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.api.tasks.BackgroundTasks;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;

/// The APIs about documents: one, several, all that a query finds.
final class DocumentApis {
  private DocumentApis() {}

  static void add(
      Routes routes, ApiDependencies rooms, WriteRequests writes, BackgroundTasks background) {
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
        .on("GET|POST", "/_mget", REQUIRED, multiGet, MultiGetApi.PARAMETERS)
        .on("GET|POST", "/{index}/_mget", REQUIRED, multiGet, MultiGetApi.PARAMETERS);
    byQuery(
        routes,
        rooms.metadata(),
        new QueryLookups(rooms.metadata(), rooms.searches()),
        new Scrolls(rooms.metadata(), rooms.searches()),
        writes,
        background);
    routes.on(
        "POST",
        "/{index}/_downsample/{target_index}",
        REQUIRED,
        new DownsampleApi(rooms.metadata(), downsampling(rooms, writes), background),
        DownsampleApi.PARAMETERS);
  }

  /// What makes indices of coarser times.
  static Downsampling downsampling(ApiDependencies rooms, WriteRequests writes) {
    return new Downsampling(
        rooms.metadata(),
        rooms.creation(),
        new Scrolls(rooms.metadata(), rooms.searches()),
        writes,
        rooms.indexing());
  }

  private static void byQuery(
      Routes routes,
      Metadata metadata,
      QueryLookups lookups,
      Scrolls scrolls,
      WriteRequests writes,
      BackgroundTasks background) {
    Api update = UpdateByQueryApi.update(metadata, lookups, scrolls, writes, background);
    Api delete = UpdateByQueryApi.delete(metadata, lookups, scrolls, writes, background);
    routes
        .on(
            "POST",
            "/_reindex",
            REQUIRED,
            new ReindexApi(metadata, lookups, scrolls, writes, background),
            ReindexApi.PARAMETERS)
        .on(
            "POST",
            "/{index}/_update_by_query",
            OPTIONAL,
            update,
            UpdateByQueryApi.UPDATE_PARAMETERS)
        .on("POST", "/{index}/_delete_by_query", OPTIONAL, delete, UpdateByQueryApi.PARAMETERS);
  }
}
