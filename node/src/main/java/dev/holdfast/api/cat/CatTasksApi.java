package dev.holdfast.api.cat;

import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.api.tasks.TaskLine;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// `GET /_cat/tasks`: a line a task that runs.
public final class CatTasksApi implements CatApi.Maker {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final NodeIdentity self;
  private final RunningTasks tasks;

  public CatTasksApi(NodeIdentity self, RunningTasks tasks) {
    this.self = self;
    this.tasks = tasks;
  }

  @Override
  public CatTable table(ApiRequest request) {
    CatTable table =
        new CatTable()
            .hidden("id", "id", "id of the task with the node")
            .column("action", "ac", "task action")
            .column("task_id", "ti", "unique task id")
            .column("parent_task_id", "pti", "parent task id")
            .column("type", "ty", "task type")
            .column("start_time", "start", "start time in ms")
            .column("timestamp", "ts,hms,hhmmss", "start time in HH:MM:SS")
            .hidden("running_time_ns", "time", "running time ns")
            .column("running_time", "time", "running time")
            .hidden("node_id", "ni", "unique node id")
            .column("ip", "i", "ip address")
            .hidden("port", "po", "bound transport port")
            .column("node", "n", "node name")
            .hidden("version", "v", "es version")
            .hidden("x_opaque_id", "x", "X-Opaque-ID header");
    boolean isDetailed = request.flag("detailed", false);
    if (isDetailed) {
      table.column("description", "desc", "task action");
    } else {
      table.hidden("description", "desc", "task action");
    }
    for (TaskLine task : tasks.lines(request.list("actions"))) {
      table.row(
          task.number(),
          task.action(),
          task.id(),
          "-",
          "transport",
          task.startMillis(),
          TIME.format(Instant.ofEpochMilli(task.startMillis())),
          task.runningNanos(),
          Duration.ofNanos(task.runningNanos()),
          self.id(),
          self.host(),
          self.port(),
          self.name(),
          "-",
          task.opaqueId(),
          task.description());
    }
    return table;
  }
}
