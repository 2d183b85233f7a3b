package dev.holdfast.node.api;

import static dev.holdfast.node.http.BodyRule.NONE;
import static dev.holdfast.node.http.BodyRule.OPTIONAL;
import static dev.holdfast.node.http.BodyRule.REQUIRED;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.document.WriteRequests;
import dev.holdfast.node.api.index.ForceMergeApi;
import dev.holdfast.node.api.index.IndexCreation;
import dev.holdfast.node.api.ingest.Ingest;
import dev.holdfast.node.api.reindex.ReindexApi;
import dev.holdfast.node.api.reindex.UpdateByQueryApi;
import dev.holdfast.node.api.search.Scrolls;
import dev.holdfast.node.api.task.BackgroundTasks;
import dev.holdfast.node.api.task.RunningTasks;
import dev.holdfast.node.api.task.TaskResults;
import dev.holdfast.node.api.task.TasksApi;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.Routes;

/// The APIs about tasks, and those whose work is one.
final class TaskApis {
  private TaskApis() {}

  static void add(Routes routes, Rooms rooms, RunningTasks running, Ingest ingest) {
    IndexCreation creation = new IndexCreation(rooms.world(), rooms.metadata(), rooms.mappings());
    WriteRequests writes =
        new WriteRequests(rooms.world(), rooms.metadata(), rooms.indexing(), creation, ingest);
    TaskResults results = new TaskResults(rooms.metadata(), creation, writes, rooms.indexing());
    TasksApi tasks =
        new TasksApi(rooms.identity(), NodeRoles.names(rooms.identity()), running, results);
    BackgroundTasks background =
        new BackgroundTasks(rooms.world(), rooms.identity(), running, results);
    Scrolls scrolls = new Scrolls(rooms.metadata(), rooms.searches());
    Api update = UpdateByQueryApi.update(rooms.metadata(), scrolls, writes, background);
    Api delete = UpdateByQueryApi.delete(rooms.metadata(), scrolls, writes, background);
    Api merge = new ForceMergeApi(rooms.metadata(), rooms.indexing(), background);
    routes
        .on("GET", "/_tasks", NONE, tasks.list(), TasksApi.PARAMETERS)
        .on("GET", "/_tasks/{task_id}", NONE, tasks.get(), "timeout", "wait_for_completion")
        .on("POST", "/_tasks/_cancel", NONE, tasks.cancel(), TasksApi.PARAMETERS)
        .on("POST", "/_tasks/{task_id}/_cancel", NONE, tasks.cancel(), TasksApi.PARAMETERS)
        .on(
            "POST",
            "/_reindex",
            REQUIRED,
            new ReindexApi(rooms.metadata(), scrolls, writes, background),
            ReindexApi.PARAMETERS)
        .on("POST", "/_forcemerge", NONE, merge, ForceMergeApi.parameters())
        .on("POST", "/{index}/_forcemerge", NONE, merge, ForceMergeApi.parameters())
        .on("POST", "/{index}/_update_by_query", OPTIONAL, update, UpdateByQueryApi.PARAMETERS)
        .on("POST", "/{index}/_delete_by_query", OPTIONAL, delete, UpdateByQueryApi.PARAMETERS);
    for (String word : new String[] {"_reindex", "_update_by_query", "_delete_by_query"}) {
      routes.on(
          "POST",
          "/" + word + "/{task_id}/_rethrottle",
          NONE,
          tasks.rethrottle(),
          "requests_per_second",
          "group_by");
    }
  }
}
