package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.api.tasks.BackgroundTasks.Outcome;
import dev.holdfast.api.tasks.RunningTask;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/// A reindex, update or delete by query that runs: its slices side by side, their sum, its answer.
final class ByQueryRun {
  /// Slices that run at the same time; others begin when one ends.
  private static final int SLICES_AT_ONCE = 32;

  private final World world;
  private final Scrolls scrolls;
  private final WriteRequests writes;
  private final ByQuery asked;
  private final RunningTask task;
  private final BooleanSupplier isCancelled;
  private final List<ByQueryProgress> slices = new ArrayList<>();
  private final List<ByQueryThrottle> paces = new ArrayList<>();
  private final Set<ShardId> written = ConcurrentHashMap.newKeySet();
  private volatile float requestsPerSecond;

  ByQueryRun(
      World world,
      Scrolls scrolls,
      WriteRequests writes,
      ByQuery asked,
      RunningTask task,
      BooleanSupplier isCancelled) {
    this.world = world;
    this.scrolls = scrolls;
    this.writes = writes;
    this.asked = asked;
    this.task = task;
    this.isCancelled = isCancelled;
    requestsPerSecond = asked.requestsPerSecond();
    for (int i = 0; i < asked.slices(); i++) {
      slices.add(new ByQueryProgress());
      paces.add(new ByQueryThrottle(world, asked.requestsPerSecond() / asked.slices()));
    }
    task.tells(this::status);
    task.isThrottledBy(this::throttle);
  }

  private void throttle(float pace) {
    requestsPerSecond = pace;
    paces.forEach(one -> one.change(pace / slices.size()));
  }

  Outcome run() throws Exception {
    long start = world.clock().nanoTime();
    if (slices.size() == 1) {
      slice(0).run();
    } else {
      runAll();
    }
    if (asked.refreshes()) {
      writes.refresh(WriteRequests.Refresh.NOW, written);
    }
    ByQueryProgress sum = sum();
    ObjectNode body = Json.object();
    body.put("took", (world.clock().nanoTime() - start) / 1_000_000).put("timed_out", false);
    write(body, sum);
    if (task.isCancelled()) {
      body.put("canceled", "by user request");
    }
    body.set("failures", sum.failuresJson());
    int status = 200;
    for (ObjectNode failure : sum.failures()) {
      status = Math.max(status, failure.path("status").asInt());
    }
    return new Outcome(status, body);
  }

  private ByQuerySlice slice(int number) {
    return new ByQuerySlice(
        world,
        scrolls,
        writes,
        asked,
        number,
        slices.get(number),
        paces.get(number),
        written,
        () -> task.isCancelled() || isCancelled.getAsBoolean());
  }

  private void runAll() throws Exception {
    List<Callable<Boolean>> pieces = new ArrayList<>(slices.size());
    for (int i = 0; i < slices.size(); i++) {
      ByQuerySlice slice = slice(i);
      pieces.add(() -> {
        slice.run();
        return true;
      });
    }
    try {
      List<Boolean> _ =
          FanOut.of(world, "slice of " + task.id()).atOnce(SLICES_AT_ONCE).all(pieces);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause
          ? cause
          : new Refusal(ErrorType.INTERNAL, String.valueOf(e.getCause()), e.getCause());
    }
  }

  private ByQueryProgress sum() {
    ByQueryProgress sum = new ByQueryProgress();
    slices.forEach(sum::add);
    return sum;
  }

  private void write(ObjectNode to, ByQueryProgress sum) {
    ShardTarget.Slice part = asked.search().part();
    if (part != null) {
      to.put("slice_id", part.id());
    }
    sum.write(to, asked.kind(), requestsPerSecond);
    if (slices.size() > 1) {
      ArrayNode each = to.putArray("slices");
      for (int i = 0; i < slices.size(); i++) {
        ObjectNode one = each.addObject().put("slice_id", i);
        slices.get(i).write(one, asked.kind(), paces.get(i).documentsPerSecond());
      }
    }
  }

  private ObjectNode status() {
    ObjectNode status = Json.object();
    write(status, sum());
    return status;
  }
}
