package dev.holdfast.node.api;

import static dev.holdfast.node.http.BodyRule.LINES;
import static dev.holdfast.node.http.BodyRule.NONE;
import static dev.holdfast.node.http.BodyRule.OPTIONAL;
import static dev.holdfast.node.http.BodyRule.REQUIRED;

import dev.holdfast.clusterstate.Metadata;
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
import dev.holdfast.node.api.reindex.ReindexApi;
import dev.holdfast.node.api.reindex.UpdateByQueryApi;
import dev.holdfast.node.api.search.Scrolls;
import dev.holdfast.node.api.task.BackgroundTasks;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.Routes;

/// The APIs about documents: one, several, all that a query finds.
final class DocumentApis {
  private DocumentApis() {}

  static void add(Routes routes, Rooms rooms, WriteRequests writes, BackgroundTasks background) {
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
    byQuery(
        routes,
        rooms.metadata(),
        new Scrolls(rooms.metadata(), rooms.searches()),
        writes,
        background);
  }

  private static void byQuery(
      Routes routes,
      Metadata metadata,
      Scrolls scrolls,
      WriteRequests writes,
      BackgroundTasks background) {
    Api update = UpdateByQueryApi.update(metadata, scrolls, writes, background);
    Api delete = UpdateByQueryApi.delete(metadata, scrolls, writes, background);
    routes
        .on(
            "POST",
            "/_reindex",
            REQUIRED,
            new ReindexApi(metadata, scrolls, writes, background),
            ReindexApi.PARAMETERS)
        .on("POST", "/{index}/_update_by_query", OPTIONAL, update, UpdateByQueryApi.PARAMETERS)
        .on("POST", "/{index}/_delete_by_query", OPTIONAL, delete, UpdateByQueryApi.PARAMETERS);
  }
}
