package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;

import dev.holdfast.api.broadcast.OwnedRequests;
import dev.holdfast.api.tasks.ReindexTasksApi;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.api.tasks.TaskId;
import dev.holdfast.api.tasks.TaskResults;
import dev.holdfast.api.tasks.TasksApi;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;

/// The APIs about tasks.
final class TaskApis {
  private TaskApis() {}

  static void add(
      Routes routes,
      ApiDependencies rooms,
      RunningTasks running,
      TaskResults results,
      TasksApi tasks,
      OwnedRequests owned) {
    routes
        .on("GET", "/_tasks", NONE, tasks.list(), TasksApi.PARAMETERS)
        .on(
            "GET",
            "/_tasks/{task_id}",
            NONE,
            ofTask(owned, "task", tasks.get()),
            "follow_relocations",
            "timeout",
            "wait_for_completion")
        .on("POST", "/_tasks/_cancel", NONE, tasks.cancel(), TasksApi.OF_CANCEL)
        .on(
            "POST",
            "/_tasks/{task_id}/_cancel",
            NONE,
            ofTask(owned, "task-cancel", tasks.cancel()),
            TasksApi.OF_CANCEL);
    ReindexTasksApi reindex = new ReindexTasksApi(rooms.identity(), running, results, tasks);
    routes
        .on("GET", "/_reindex", NONE, reindex.list(), "detailed")
        .on(
            "GET",
            "/_reindex/{task_id}",
            NONE,
            ofTask(owned, "reindex", reindex.get()),
            "timeout",
            "wait_for_completion")
        .on(
            "POST",
            "/_reindex/{task_id}/_cancel",
            NONE,
            ofTask(owned, "reindex-cancel", reindex.cancel()),
            "wait_for_completion");
    Api rethrottle = ofTask(owned, "task-rethrottle", tasks.rethrottle());
    for (String word : new String[] {"_reindex", "_update_by_query", "_delete_by_query"}) {
      routes.on(
          "POST",
          "/" + word + "/{task_id}/_rethrottle",
          NONE,
          rethrottle,
          "requests_per_second",
          "group_by");
    }
  }

  /// Each node knows its own tasks, and clients ask any.
  private static Api ofTask(OwnedRequests owned, String name, Api here) {
    return owned.about(
        name, here, request -> TaskId.node(request.text("task_id", "")), "timeout", _ -> false);
  }
}
