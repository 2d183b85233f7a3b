package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.tasks.TasksApi;
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

  private final ClusterMembers members;
  private final TasksApi tasks;

  public CatTasksApi(ClusterMembers members, TasksApi tasks) {
    this.members = members;
    this.tasks = tasks;
  }

  @Override
  public CatTable table(ApiRequest request) throws InterruptedException {
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
    for (JsonNode task : tasks.everywhere(request)) {
      NodeIdentity node = members.byId(task.path("node").asText()).orElse(null);
      if (node != null) { // else it has left meanwhile
        add(table, task, node);
      }
    }
    return table;
  }

  private static void add(CatTable table, JsonNode task, NodeIdentity node) {
    long number = task.path("id").asLong();
    long startMillis = task.path("start_time_in_millis").asLong();
    long runningNanos = task.path("running_time_in_nanos").asLong();
    table.row(
        number,
        task.path("action").asText(),
        node.id() + ":" + number,
        "-",
        task.path("type").asText(),
        startMillis,
        TIME.format(Instant.ofEpochMilli(startMillis)),
        runningNanos,
        Duration.ofNanos(runningNanos),
        node.id(),
        node.host(),
        node.port(),
        node.name(),
        "-",
        task.at("/headers/X-Opaque-Id").textValue(),
        task.path("description").asText());
  }
}
