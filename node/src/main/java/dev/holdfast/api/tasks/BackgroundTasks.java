package dev.holdfast.api.tasks;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.RequestBody;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.World;
import dev.holdfast.world.text.JsonMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs long work as a task: while the client waits, or, with `wait_for_completion=false`, behind
/// its back, with the result stored.
public final class BackgroundTasks {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundTasks.class);

  /// What a task takes, at least; no longer body is counted as no more.
  private static final int TASK_BYTES = 16 << 10;

  private final World world;
  private final NodeIdentity node;
  private final RunningTasks tasks;
  private final TaskResults results;

  public BackgroundTasks(World world, NodeIdentity node, RunningTasks tasks, TaskResults results) {
    this.world = world;
    this.node = node;
    this.tasks = tasks;
    this.results = results;
  }

  /// Long work.
  public interface Work {
    /// @return the status and the body of the answer
    Outcome run(RunningTask task) throws Exception;
  }

  /// How long work ended.
  public record Outcome(int status, ObjectNode body) {}

  /// The answer to a request for long work.
  public Answer run(ApiRequest request, String action, String description, Work work)
      throws Exception {
    RunningTask task = begin(request, action, description, true);
    if (request.flag("wait_for_completion", true)) {
      try {
        Outcome outcome = work.run(task);
        return Answer.of(outcome.status(), outcome.body());
      } finally {
        tasks.end(task);
      }
    }
    return behind(task, request, work);
  }

  /// The answer to a request for long work that nobody waits for and that cannot be cancelled.
  public Answer start(ApiRequest request, String action, String description, Work work) {
    return behind(begin(request, action, description, false), request, work);
  }

  private RunningTask begin(
      ApiRequest request, String action, String description, boolean isCancellable) {
    return tasks.begin(action, description, request.headers().get("x-opaque-id"), isCancellable);
  }

  private Answer behind(RunningTask task, ApiRequest request, Work work) {
    Reservation memory = world.memory().request().begin("<task>");
    try {
      memory.add(held(request.body()));
    } catch (Refusal e) {
      tasks.end(task);
      throw e;
    }
    var _ =
        world
            .tasks()
            .start(
                "task " + task.id(),
                () -> finish(task, work, memory),
                () -> {
                  memory.close();
                  tasks.end(task);
                });
    return Answer.of(200, Json.object().put("task", task.id().toString()));
  }

  /// What was read of the request is there for as long as the task runs.
  private static long held(RequestBody body) {
    return body.length() <= TASK_BYTES
        ? TASK_BYTES
        : JsonMemory.ofText(body.bytes(), body.offset(), body.length());
  }

  private void finish(RunningTask task, Work work, Reservation memory) throws InterruptedException {
    ObjectNode result = Json.object().put("completed", true);
    try (memory) {
      Outcome outcome = work.run(task);
      result.set("task", task.toJson(node, true, false));
      result.set("response", outcome.body());
    } catch (Exception | Error e) {
      result.set("task", task.toJson(node, true, false));
      result.set("error", error(e));
    }
    try {
      results.store(task.id(), result);
    } catch (IOException | RuntimeException e) {
      LOG.warn("the result of a task could not be stored [task={}]", task.id(), e);
    } finally {
      tasks.end(task);
    }
  }

  private static ObjectNode error(Throwable failure) {
    try (TokenBuffer buffer = new TokenBuffer(Json.MAPPER, false)) {
      JsonGenerator out = buffer;
      ErrorBody.write(out, failure, false);
      return Json.MAPPER.readTree(buffer.asParser());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
