package dev.holdfast.node.api;

import static dev.holdfast.node.http.BodyRule.NONE;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.task.RunningTasks;
import dev.holdfast.node.api.task.TaskResults;
import dev.holdfast.node.api.task.TasksApi;
import dev.holdfast.node.http.Routes;

/// The APIs about tasks.
final class TaskApis {
  private TaskApis() {}

  static void add(Routes routes, Rooms rooms, RunningTasks running, TaskResults results) {
    TasksApi tasks =
        new TasksApi(rooms.identity(), NodeRoles.names(rooms.identity()), running, results);
    routes
        .on("GET", "/_tasks", NONE, tasks.list(), TasksApi.PARAMETERS)
        .on("GET", "/_tasks/{task_id}", NONE, tasks.get(), "timeout", "wait_for_completion")
        .on("POST", "/_tasks/_cancel", NONE, tasks.cancel(), TasksApi.PARAMETERS)
        .on("POST", "/_tasks/{task_id}/_cancel", NONE, tasks.cancel(), TasksApi.PARAMETERS);
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
