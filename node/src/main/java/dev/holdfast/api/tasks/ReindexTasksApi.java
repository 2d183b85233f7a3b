package dev.holdfast.api.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.TimeValue;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `GET /_reindex`, `GET /_reindex/{task_id}`, `POST /_reindex/{task_id}/_cancel`: reindexing that
/// runs in the background, without what else `_tasks` tells.
public final class ReindexTasksApi {
  private static final String ACTION = "indices:data/write/reindex";
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final NodeIdentity node;
  private final RunningTasks tasks;
  private final TaskResults results;
  private final TasksApi all;

  /// @param all knows those of other nodes
  public ReindexTasksApi(NodeIdentity node, RunningTasks tasks, TaskResults results, TasksApi all) {
    this.node = node;
    this.tasks = tasks;
    this.results = results;
    this.all = all;
  }

  public Api list() {
    return this::list;
  }

  public Api get() {
    return this::get;
  }

  public Api cancel() {
    return this::cancel;
  }

  private Answer list(ApiRequest request) throws InterruptedException {
    boolean isDetailed = request.flag("detailed", false);
    ObjectNode answer = Json.object();
    ArrayNode listed = answer.putArray("reindex");
    for (RunningTask task : tasks.all()) {
      if (task.action().equals(ACTION)) {
        listed.add(shown(task.id(), task.toJson(node, true, request.human()), request));
      }
    }
    for (JsonNode task : all.elsewhere(ACTION)) {
      if (task instanceof ObjectNode one) {
        TaskId id = new TaskId(one.path("node").asText(), one.path("id").asLong());
        listed.add(shown(id, one, request));
      }
    }
    if (!isDetailed) {
      listed.forEach(shown -> ((ObjectNode) shown).remove("status"));
    }
    return Answer.of(200, answer);
  }

  private Answer get(ApiRequest request) throws Exception {
    TaskId id = TaskId.parse(request.required("task_id"));
    boolean isAwaited = request.flag("wait_for_completion", false);
    Duration timeout = request.duration("timeout", WAIT);
    RunningTask task = running(id);
    if (task != null && isAwaited) {
      awaited(task, timeout, request);
      task = null;
    }
    if (task != null) {
      ObjectNode answer = Json.object().put("completed", false);
      answer.setAll(shown(id, task.toJson(node, true, request.human()), request));
      return Answer.of(200, answer);
    }
    return Answer.of(200, ended(id, request, "Reindex operation [" + id + "] not found"));
  }

  private Answer cancel(ApiRequest request) throws Exception {
    TaskId id = TaskId.parse(request.required("task_id"));
    String missing = "reindex task [" + id + "] either not found or completed";
    RunningTask task = running(id);
    if (task == null) {
      throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, missing);
    }
    ObjectNode before = task.toJson(node, true, request.human());
    task.cancel();
    if (!request.flag("wait_for_completion", true)) {
      return Answer.acknowledged();
    }
    awaited(task, WAIT, request);
    if (results.find(id) == null) { // its client waited for it, and got what came of it
      ObjectNode answer = Json.object().put("completed", true);
      answer.setAll(shown(id, before.put("cancelled", true), request));
      return Answer.of(200, answer);
    }
    return Answer.of(200, ended(id, request, missing));
  }

  private @Nullable RunningTask running(TaskId id) {
    RunningTask task = tasks.find(id);
    return task != null && task.action().equals(ACTION) ? task : null;
  }

  private static void awaited(RunningTask task, Duration timeout, ApiRequest request)
      throws InterruptedException {
    if (!task.await(timeout, request.isCancelled())) {
      throw new Refusal(
          ErrorType.TIMEOUT, "Timed out waiting for completion of task [" + task.id() + "]");
    }
  }

  private ObjectNode ended(TaskId id, ApiRequest request, String missing) throws IOException {
    ObjectNode stored = results.find(id);
    if (stored == null
        || !(stored.path("task") instanceof ObjectNode task)
        || !task.path("action").asText().equals(ACTION)) {
      throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, missing);
    }
    ObjectNode answer = Json.object().put("completed", true);
    answer.setAll(shown(id, task, request));
    for (String outcome : List.of("response", "error")) {
      JsonNode came = stored.get(outcome);
      if (came != null) {
        answer.set(outcome, came);
      }
    }
    return answer;
  }

  private static ObjectNode shown(TaskId id, ObjectNode task, ApiRequest request) {
    ObjectNode shown = Json.object().put("id", id.toString());
    shown.put("description", task.path("description").asText());
    long start = task.path("start_time_in_millis").asLong();
    long nanos = task.path("running_time_in_nanos").asLong();
    if (request.human()) {
      shown.put("start_time", Instant.ofEpochMilli(start).toString());
      shown.put("running_time", TimeValue.text(nanos / 1_000_000));
    }
    shown.put("start_time_in_millis", start).put("running_time_in_nanos", nanos);
    shown.put("cancelled", task.path("cancelled").asBoolean(false));
    if (task.has("status")) {
      shown.set("status", task.get("status"));
    }
    return shown;
  }
}
