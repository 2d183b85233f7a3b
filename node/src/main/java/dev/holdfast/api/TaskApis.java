package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;

import dev.holdfast.api.cluster.member.NodeRoles;
import dev.holdfast.api.tasks.ReindexTasksApi;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.api.tasks.TaskResults;
import dev.holdfast.api.tasks.TasksApi;
import dev.holdfast.http.Routes;

/// The APIs about tasks.
final class TaskApis {
  private TaskApis() {}

  static void add(Routes routes, ApiDependencies rooms, RunningTasks running, TaskResults results) {
    TasksApi tasks = new TasksApi(rooms.identity(), NodeRoles.names(), running, results);
    routes
        .on("GET", "/_tasks", NONE, tasks.list(), TasksApi.PARAMETERS)
        .on(
            "GET",
            "/_tasks/{task_id}",
            NONE,
            tasks.get(),
            "follow_relocations",
            "timeout",
            "wait_for_completion")
        .on("POST", "/_tasks/_cancel", NONE, tasks.cancel(), TasksApi.OF_CANCEL)
        .on("POST", "/_tasks/{task_id}/_cancel", NONE, tasks.cancel(), TasksApi.OF_CANCEL);
    ReindexTasksApi reindex = new ReindexTasksApi(rooms.identity(), running, results);
    routes
        .on("GET", "/_reindex", NONE, reindex.list(), "detailed")
        .on("GET", "/_reindex/{task_id}", NONE, reindex.get(), "timeout", "wait_for_completion")
        .on("POST", "/_reindex/{task_id}/_cancel", NONE, reindex.cancel(), "wait_for_completion");
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
