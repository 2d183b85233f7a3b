package dev.holdfast.api.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.TimeValue;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.trace.Cause;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Something that runs for a client.
public final class RunningTask {
  /// Those that have a pace.
  private static final Set<String> PACED =
      Set.of(
          "indices:data/write/reindex",
          "indices:data/write/update/byquery",
          "indices:data/write/delete/byquery");

  /// How often a wait looks whether its client has left.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final TaskId id;
  private final String action;
  private final String description;
  private final @Nullable String opaqueId;
  private final @Nullable String traceId;
  private final boolean isCancellable;
  private final long startMillis;
  private final long startNanos;
  private final World world;
  private final CompletableFuture<Boolean> done = new CompletableFuture<>();
  private volatile @Nullable Supplier<JsonNode> status;
  private @Nullable Consumer<Float> throttle;
  private @Nullable Float paceBefore;
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
    this.traceId = Cause.current().traceId();
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

  synchronized void cancel() {
    isCancelled = true;
    paceBefore = Float.POSITIVE_INFINITY;
    if (throttle != null) {
      throttle.accept(Float.POSITIVE_INFINITY);
    }
  }

  /// Lets the task tell how far it is.
  public void tells(Supplier<JsonNode> progress) {
    status = progress;
  }

  /// Lets the task be told another pace, in requests a second; at once the one that it was told
  /// before it could hear.
  public synchronized void isThrottledBy(Consumer<Float> pace) {
    throttle = pace;
    if (paceBefore != null) {
      pace.accept(paceBefore);
    }
  }

  /// @return false when a task of this action has no pace
  public synchronized boolean throttle(float requestsPerSecond) {
    if (!PACED.contains(action)) {
      return false;
    }
    if (throttle == null) {
      paceBefore = requestsPerSecond;
    } else {
      throttle.accept(requestsPerSecond);
    }
    return true;
  }

  void end() {
    done.complete(true);
  }

  /// Whether it ended in time.
  ///
  /// @param isGivenUp whether nobody waits for that any more
  boolean await(Duration timeout, BooleanSupplier isGivenUp) throws InterruptedException {
    try {
      return Await.given(world, done, timeout, LOOK, isGivenUp);
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
    if (traceId != null) {
      headers.put("trace.id", traceId);
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
