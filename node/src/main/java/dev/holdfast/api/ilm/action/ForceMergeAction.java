package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `forcemerge`: the index takes no more writes, and its shards are merged to few segments.
final class ForceMergeAction implements LifecycleAction {
  private static final String SEGMENTS = "max_num_segments";

  @Override
  public String name() {
    return "forcemerge";
  }

  @Override
  public ObjectNode read(JsonObject body) {
    if (body.take(SEGMENTS) == null) {
      throw Refusal.badArgument("Required [" + SEGMENTS + "]");
    }
    int segments = body.integer(SEGMENTS, 0);
    if (segments <= 0) {
      throw Refusal.badArgument("[" + SEGMENTS + "] must be a positive integer");
    }
    String codec = body.string("index_codec");
    if (codec != null && !codec.equals("best_compression")) {
      throw Refusal.badArgument("unknown index codec: [" + codec + "]");
    }
    if (codec != null) {
      throw Refusal.badArgument(
          "[index_codec] of [forcemerge] is not supported: set [index.codec] in the template of the"
              + " index");
    }
    return Json.object().put(SEGMENTS, segments);
  }

  @Override
  public List<Step> steps(ObjectNode body) {
    return List.of(
        WriteIndexCheck.STEP,
        TimeSeriesEnd.ofStream(name()),
        WriteIndexCheck.READ_ONLY,
        new Step("forcemerge", context -> merge(context, body.path(SEGMENTS).asInt())),
        new Step("segment-count", context -> Outcome.done()));
  }

  private static Outcome merge(StepContext context, int segmentsMax) throws Exception {
    Refusal failure = context.tools().merges().failure(context.index());
    if (failure != null) {
      throw failure;
    }
    if (!context.index().isOpen()) {
      return Outcome.waiting("index [" + context.name() + "] is closed");
    }
    List<ShardFigures> figures =
        ShardFigures.of(context.tools().shards(), List.of(context.index()));
    if (!figures.stream().allMatch(ShardFigures::isStarted)) {
      return Outcome.waiting("a shard of [" + context.name() + "] is not started");
    }
    long left = figures.stream().filter(one -> one.counted().segments() > segmentsMax).count();
    if (left == 0) {
      return Outcome.done();
    }
    String running = context.tools().merges().begin(context.index(), segmentsMax);
    return Outcome.waiting(
        running.equals(context.index().id().uuid())
            ? "[" + left + "] shards are being merged to at most [" + segmentsMax + "] segments"
            : "another index is being merged");
  }
}
