package dev.holdfast.api.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.TimeValue;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Something that runs for a client.
public final class RunningTask {
  private final TaskId id;
  private final String action;
  private final String description;
  private final @Nullable String opaqueId;
  private final boolean isCancellable;
  private final long startMillis;
  private final long startNanos;
  private final World world;
  private final CompletableFuture<Boolean> done = new CompletableFuture<>();
  private volatile @Nullable Supplier<JsonNode> status;
  private volatile @Nullable Consumer<Float> throttle;
  private volatile boolean isCancelled;

  RunningTask(
      TaskId id,
      String action,
      String description,
      @Nullable String opaqueId,
      boolean isCancellable,
      World world) {
    this.id = id;
    this.action = action;
    this.description = description;
    this.opaqueId = opaqueId;
    this.isCancellable = isCancellable;
    this.world = world;
    startMillis = world.clock().epochMillis();
    startNanos = world.clock().nanoTime();
  }

  public TaskId id() {
    return id;
  }

  public String action() {
    return action;
  }

  public boolean isCancelled() {
    return isCancelled;
  }

  boolean isCancellable() {
    return isCancellable;
  }

  void cancel() {
    isCancelled = true;
    Consumer<Float> wakes = throttle;
    if (wakes != null) {
      wakes.accept(Float.POSITIVE_INFINITY);
    }
  }

  /// Lets the task tell how far it is.
  public void tells(Supplier<JsonNode> progress) {
    status = progress;
  }

  /// Lets the task be told another pace, in requests a second.
  public void isThrottledBy(Consumer<Float> pace) {
    throttle = pace;
  }

  /// @return false when this task knows no pace
  public boolean throttle(float requestsPerSecond) {
    Consumer<Float> told = throttle;
    if (told != null) {
      told.accept(requestsPerSecond);
    }
    return told != null;
  }

  void end() {
    done.complete(true);
  }

  /// Whether it ended in time.
  boolean await(Duration timeout) throws InterruptedException {
    try {
      return world.sleeper().get(done, timeout);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a task's end failed [task=" + id + "]", e);
    }
  }

  /// As `_tasks` shows it.
  ObjectNode toJson(NodeIdentity node, boolean isDetailed, boolean isHuman) {
    long runningNanos = world.clock().nanoTime() - startNanos;
    ObjectNode json = Json.object();
    json.put("node", id.node())
        .put("id", id.number())
        .put("type", "transport")
        .put("action", action);
    Supplier<JsonNode> progress = status;
    if (progress != null && isDetailed) {
      json.set("status", progress.get());
    }
    if (isDetailed) {
      json.put("description", description);
    }
    json.put("start_time_in_millis", startMillis);
    if (isHuman) {
      json.put("running_time", TimeValue.text(runningNanos / 1_000_000));
    }
    json.put("running_time_in_nanos", runningNanos).put("cancellable", isCancellable);
    if (isCancellable) {
      json.put("cancelled", isCancelled);
    }
    ObjectNode headers = json.putObject("headers");
    if (opaqueId != null) {
      headers.put("X-Opaque-Id", opaqueId);
    }
    return json;
  }

  long startMillis() {
    return startMillis;
  }

  long runningNanos() {
    return world.clock().nanoTime() - startNanos;
  }

  String description() {
    return description;
  }

  @Nullable String opaqueId() {
    return opaqueId;
  }
}
