package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
import dev.holdfast.api.indices.downsample.DownsampleConfig;
import dev.holdfast.api.indices.downsample.Downsampling;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `downsample`: an index of time series takes no more writes, and one of coarser times takes its
/// place.
final class DownsampleAction implements LifecycleAction {
  private static final String TIMEOUT = "wait_timeout";
  private static final String MERGES = "force_merge_index";
  private static final String LAST = "is-downsampled-index";

  @Override
  public String name() {
    return "downsample";
  }

  @Override
  public ObjectNode read(JsonObject body) {
    ObjectNode kept = DownsampleConfig.read(body).json();
    String timeout = body.string(TIMEOUT);
    if (timeout != null) {
      var _ = TimeValue.parse(TIMEOUT, timeout);
      kept.put(TIMEOUT, timeout);
    }
    if (!body.bool(MERGES, true)) {
      throw Refusal.badArgument(
          "[" + MERGES + "] is always true: an index that is made anew has one segment a shard");
    }
    return kept;
  }

  private static DownsampleConfig config(ObjectNode body) {
    ObjectNode config = Json.object();
    config.setAll(body);
    config.remove(TIMEOUT);
    return DownsampleConfig.read(JsonObject.of("downsample", config));
  }

  @Override
  public List<Step> steps(ObjectNode body) {
    DownsampleConfig config = config(body);
    return List.of(
        new Step("branch-check-time-series", DownsampleAction::needed),
        WriteIndexCheck.STEP,
        TimeSeriesEnd.of(name()),
        WriteIndexCheck.READ_ONLY,
        new Step("rollup", context -> downsampled(context, config)),
        new Step("wait-for-rollup", context -> started(context, config)),
        new Step(
            "replace-index",
            context ->
                IndexReplacement.outcome(
                    context,
                    Downsampling.targetName(context.index(), config),
                    LAST,
                    (target, source) -> Downsampling.isMadeOf(target, source, config))),
        new Step(LAST, context -> Outcome.done()));
  }

  private static Outcome needed(StepContext context) {
    return TimeSeries.is(context.index().settings()) ? Outcome.done() : Outcome.actionDone();
  }

  private static Outcome downsampled(StepContext context, DownsampleConfig config)
      throws Exception {
    BackgroundDownsampling work = context.tools().downsampling();
    Refusal failure = work.failure(context.index());
    if (failure != null) {
      throw failure;
    }
    String name = Downsampling.targetName(context.index(), config);
    IndexMetadata there = context.state().indices().get(name);
    if (there != null && Downsampling.isMadeOf(there, context.index(), config)) {
      return Outcome.done();
    }
    if (!context.index().isOpen()) {
      return Outcome.waiting("index [" + context.name() + "] is closed");
    }
    boolean isRunning = work.isRunning(context.index());
    if (there != null && !isRunning && Downsampling.isLeftOf(there, context.index())) {
      // Of an attempt that died with its process.
      var _ =
          context
              .tools()
              .metadata()
              .update(
                  "downsample-again [" + name + "]",
                  state -> {
                    IndexMetadata left = state.indices().get(name);
                    return left != null && left.id().equals(there.id())
                        ? BackingIndices.without(state, left)
                        : state;
                  });
    }
    String running = work.begin(context.index(), name, config);
    return Outcome.waiting(
        running.equals(context.index().id().uuid())
            ? "index [" + context.name() + "] is being downsampled to [" + name + "]"
            : "another index is being downsampled");
  }

  private static Outcome started(StepContext context, DownsampleConfig config) throws Exception {
    return IndexReplacement.started(context, Downsampling.targetName(context.index(), config));
  }
}
