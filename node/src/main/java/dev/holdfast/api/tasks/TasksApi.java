package dev.holdfast.api.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.text.Wildcards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// `GET /_tasks`, `GET /_tasks/{task_id}`, `POST /_tasks/_cancel`, `POST
/// /_reindex/{task_id}/_rethrottle`: what runs, what came of it, its end, its pace.
public final class TasksApi {
  /// Parameters of the list.
  public static final List<String> PARAMETERS =
      List.of(
          "actions",
          "detailed",
          "group_by",
          "nodes",
          "node_id",
          "parent_task_id",
          "timeout",
          "wait_for_completion");

  /// Parameters of the end of several.
  public static final List<String> OF_CANCEL =
      List.of("actions", "group_by", "nodes", "node_id", "parent_task_id", "wait_for_completion");

  /// How long cancelled tasks may take to end, all of them.
  private static final Duration END_WAIT = Duration.ofSeconds(30);

  private final World world;
  private final NodeIdentity node;
  private final List<String> roles;
  private final RunningTasks tasks;
  private final TaskResults results;
  private final OtherNodesTasks others;

  public TasksApi(
      NodeIdentity node,
      List<String> roles,
      RunningTasks tasks,
      TaskResults results,
      Broadcasts calls) {
    this.world = calls.world();
    this.node = node;
    this.roles = List.copyOf(roles);
    this.tasks = tasks;
    this.results = results;
    this.others =
        new OtherNodesTasks(
            calls, request -> listed(request, this.world.clock().nanoTime()), this::cancelled);
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

  public Api rethrottle() {
    return this::rethrottle;
  }

  /// Those of all nodes: this one's end while the others wait for theirs.
  private Answer list(ApiRequest request) throws InterruptedException {
    String _ = group(request);
    long startNanos = world.clock().nanoTime();
    List<RunningTask> wanted = wanted(request);
    Broadcast.Seen seen = others.ask(request, false);
    ObjectNode answer = listed(request, wanted, startNanos);
    OtherNodesTasks.add(answer, seen);
    return Answer.of(200, answer);
  }

  /// Those of this node.
  private ObjectNode listed(ApiRequest request, long startNanos) throws InterruptedException {
    return listed(request, wanted(request), startNanos);
  }

  /// The same; when they are waited for and do not end in time, that is a failure of this node.
  private ObjectNode listed(ApiRequest request, List<RunningTask> wanted, long startNanos)
      throws InterruptedException {
    if (request.flag("wait_for_completion", false)) {
      Duration timeout = OtherNodesTasks.timeout(request);
      List<RunningTask> awaited =
          wanted.stream()
              .filter(task -> !task.action().startsWith("cluster:monitor/tasks"))
              .toList();
      if (!areEnded(request, awaited, timeout, startNanos)) {
        ObjectNode answer = shown(request, List.of(), false);
        NodeFailures.add(
            answer,
            node.id(),
            new Refusal(ErrorType.TIMEOUT, "Timed out waiting for completion of tasks"));
        return answer;
      }
    }
    return shown(request, wanted, request.flag("detailed", false));
  }

  /// Waits for all of them together, until one deadline.
  private boolean areEnded(
      ApiRequest request, List<RunningTask> awaited, Duration timeout, long startNanos)
      throws InterruptedException {
    for (RunningTask task : awaited) {
      long goneNanos = world.clock().nanoTime() - startNanos;
      if (!isEnded(task, timeout.minusNanos(goneNanos), request)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEnded(RunningTask task, Duration timeout, ApiRequest request)
      throws InterruptedException {
    return task.await(timeout, request.isCancelled());
  }

  private List<RunningTask> wanted(ApiRequest request) {
    List<String> actions = request.list("actions");
    String parent = request.text("parent_task_id", "");
    if (!parent.isEmpty()) {
      TaskId _ = TaskId.parse(parent);
    }
    if (!parent.isEmpty() || !others.isHere(request)) {
      return List.of();
    }
    Predicate<RunningTask> isAction =
        task ->
            actions.isEmpty()
                || actions.stream().anyMatch(pattern -> Wildcards.matches(pattern, task.action()));
    return tasks.all().stream().filter(isAction).toList();
  }

  private ObjectNode shown(ApiRequest request, List<RunningTask> wanted, boolean isDetailed) {
    ObjectNode answer = Json.object();
    switch (group(request)) {
      case "nodes" -> {
        ObjectNode nodes = answer.putObject("nodes");
        if (!wanted.isEmpty()) {
          ObjectNode here = nodes.putObject(node.id());
          here.put("name", node.name())
              .put("transport_address", node.address())
              .put("host", node.host())
              .put("ip", node.address());
          ArrayNode listed = here.putArray("roles");
          roles.forEach(listed::add);
          put(here.putObject("tasks"), wanted, isDetailed, request);
        }
      }
      case "parents" -> put(answer.putObject("tasks"), wanted, isDetailed, request);
      default -> {
        ArrayNode list = answer.putArray("tasks");
        for (RunningTask task : wanted) {
          list.add(task.toJson(node, isDetailed, request.human()));
        }
      }
    }
    return answer;
  }

  private static String group(ApiRequest request) {
    String group = request.text("group_by", "nodes");
    if (!List.of("nodes", "parents", "none").contains(group)) {
      throw Refusal.badArgument(
          "[group_by] must be one of [nodes], [parents] or [none] but was [" + group + "]");
    }
    return group;
  }

  private void put(
      ObjectNode to, List<RunningTask> wanted, boolean isDetailed, ApiRequest request) {
    for (RunningTask task : wanted) {
      to.set(task.id().toString(), task.toJson(node, isDetailed, request.human()));
    }
  }

  private Answer get(ApiRequest request) throws Exception {
    TaskId id = TaskId.parse(request.required("task_id"));
    boolean isAwaited = request.flag("wait_for_completion", false);
    Duration timeout = request.duration("timeout", Duration.ofSeconds(30));
    RunningTask task = tasks.find(id);
    if (task != null && isAwaited) {
      if (!isEnded(task, timeout, request)) {
        throw new Refusal(
            ErrorType.TIMEOUT, "Timed out waiting for completion of task [" + id + "]");
      }
      task = null;
    }
    if (task != null) {
      ObjectNode answer = Json.object().put("completed", false);
      answer.set("task", task.toJson(node, true, request.human()));
      return Answer.of(200, answer);
    }
    ObjectNode stored = results.find(id);
    if (stored == null) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND,
          tasks.isHere(id)
              ? "task [" + id + "] isn't running and hasn't stored its results"
              : "task ["
                  + id
                  + "] belongs to the node ["
                  + id.node()
                  + "] which isn't part of the cluster and there is no record of the task");
    }
    return Answer.of(200, stored);
  }

  private Answer cancel(ApiRequest request) throws InterruptedException {
    String given = request.text("task_id");
    if (given == null) {
      return Answer.of(200, cancelledEverywhere(request));
    }
    TaskId id = TaskId.parse(given);
    RunningTask task = tasks.find(id);
    if (task == null) {
      return Answer.of(
          tasks.isHere(id) ? 404 : 200,
          failed(
              tasks.isHere(id)
                  ? missing("task [" + id + "] is not found")
                  : noSuchNode(id.node())));
    }
    if (!task.isCancellable()) {
      return Answer.of(
          400, failed(Refusal.badArgument("task [" + id + "] doesn't support cancellation")));
    }
    return Answer.of(200, cancelled(request, List.of(task)));
  }

  /// Tasks of an action on the other nodes, as they tell them in detail.
  JsonNode elsewhere(String action) throws InterruptedException {
    return others.list(action);
  }

  /// All of the cluster that a request means by `actions`, `nodes` and `parent_task_id`, as they
  /// are told in detail; those of nodes that do not answer are left out.
  public List<JsonNode> everywhere(ApiRequest request) throws InterruptedException {
    List<JsonNode> all = new ArrayList<>();
    wanted(request).forEach(task -> all.add(task.toJson(node, true, false)));
    others.list(request).forEach(all::add);
    return all;
  }

  /// Those of this node that a request means by their actions.
  private ObjectNode cancelled(ApiRequest request) throws InterruptedException {
    return cancelled(request, cancellable(request));
  }

  private List<RunningTask> cancellable(ApiRequest request) {
    return wanted(request).stream()
        .filter(task -> task.isCancellable() && request.has("actions"))
        .toList();
  }

  private ObjectNode cancelled(ApiRequest request, List<RunningTask> wanted)
      throws InterruptedException {
    long startNanos = world.clock().nanoTime();
    wanted.forEach(RunningTask::cancel);
    awaitEnds(request, wanted, startNanos);
    return shown(request, wanted, true);
  }

  /// The same of all nodes: this one's end while the others wait for theirs.
  private ObjectNode cancelledEverywhere(ApiRequest request) throws InterruptedException {
    String _ = group(request);
    long startNanos = world.clock().nanoTime();
    List<RunningTask> wanted = cancellable(request);
    wanted.forEach(RunningTask::cancel);
    Broadcast.Seen seen = others.ask(request, true);
    awaitEnds(request, wanted, startNanos);
    ObjectNode answer = shown(request, wanted, true);
    OtherNodesTasks.add(answer, seen);
    return answer;
  }

  /// Waits for all of them together, if the request does.
  private void awaitEnds(ApiRequest request, List<RunningTask> cancelled, long startNanos)
      throws InterruptedException {
    if (request.flag("wait_for_completion", false)) {
      boolean _ = areEnded(request, cancelled, END_WAIT, startNanos);
    }
  }

  private static Refusal missing(String why) {
    return new Refusal(ErrorType.RESOURCE_NOT_FOUND, why);
  }

  private static Refusal noSuchNode(String name) {
    return new Refusal(ErrorType.NO_SUCH_NODE, "No such node [" + name + "]");
  }

  private ObjectNode failed(Refusal why) {
    ObjectNode answer = Json.object();
    NodeFailures.add(answer, node.id(), why);
    answer.putObject("nodes");
    return answer;
  }

  private Answer rethrottle(ApiRequest request) {
    String pace = request.text("requests_per_second");
    TaskId id = TaskId.parse(request.required("task_id"));
    if (pace == null) {
      throw Refusal.badArgument("requests_per_second is a required parameter");
    }
    float requestsPerSecond = pace(pace);
    if (!tasks.isHere(id)) {
      return Answer.of(200, failed(noSuchNode(id.node())));
    }
    RunningTask task = tasks.find(id);
    if (task == null) {
      return Answer.of(200, failed(missing("task [" + id + "] is missing")));
    }
    if (!task.throttle(requestsPerSecond)) {
      throw Refusal.badArgument(
          "task [" + id + "] is not a reindex, update by query or delete by query");
    }
    return Answer.of(200, shown(request, List.of(task), true));
  }

  /// Requests a second; without end for `-1` and `unlimited`.
  public static float pace(String text) {
    if (text.equals("-1") || text.equals("unlimited")) {
      return Float.POSITIVE_INFINITY;
    }
    float pace;
    try {
      pace = Float.parseFloat(text);
    } catch (NumberFormatException e) {
      pace = 0;
    }
    if (pace > 0) {
      return pace;
    }
    if (pace == -1) {
      return Float.POSITIVE_INFINITY;
    }
    throw Refusal.badArgument(
        "[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.");
  }
}
