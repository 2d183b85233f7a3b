package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
import dev.holdfast.api.indices.downsample.DownsampleConfig;
import dev.holdfast.api.indices.downsample.Downsampling;
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
  private static final String FIRST = "rollup";
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
        new Step(FIRST, context -> downsampled(context, config)),
        new Step("wait-for-rollup", context -> started(context, config)),
        new Step("replace-index", context -> replaced(context, config)),
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
    if (!work.isRunning(context.index())
        && Downsampling.hasOutdated(context.state(), context.index(), config)) {
      var _ =
          context
              .tools()
              .metadata()
              .update(
                  "downsample-again [" + name + "]",
                  state -> Downsampling.withoutOutdated(state, context.index(), config));
    }
    String running = work.begin(context.index(), name, config);
    return Outcome.waiting(
        running.equals(context.index().id().uuid())
            ? "index [" + context.name() + "] is being downsampled to [" + name + "]"
            : "another index is being downsampled");
  }

  private static Outcome started(StepContext context, DownsampleConfig config) throws Exception {
    return isMade(context, config)
        ? IndexReplacement.started(context, Downsampling.targetName(context.index(), config))
        : again(context);
  }

  private static Outcome replaced(StepContext context, DownsampleConfig config) {
    return isMade(context, config)
        ? IndexReplacement.outcome(
            context,
            Downsampling.targetName(context.index(), config),
            LAST,
            (target, source) -> Downsampling.isMadeOf(target, source, config))
        : again(context);
  }

  private static boolean isMade(StepContext context, DownsampleConfig config) {
    IndexMetadata made =
        context.state().indices().get(Downsampling.targetName(context.index(), config));
    return made != null && Downsampling.isMadeOf(made, context.index(), config);
  }

  /// The policy wants another interval since, or somebody has deleted what was made.
  private static Outcome again(StepContext context) {
    LifecycleState at = context.lifecycle();
    StepKey first = new StepKey(at.phase(), at.action(), FIRST);
    long now = context.tools().nowMillis();
    return new Outcome.Done(state -> state, kept -> kept.at(first, now), false);
  }
}
