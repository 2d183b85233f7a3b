package dev.holdfast.api.ilm.action;

import dev.holdfast.api.ilm.action.LifecycleAction.Step;
import dev.holdfast.document.TimeSeries;
import java.time.Instant;

/// The step before what ends the writes to an index: one of time series takes documents until its
/// times are over, though another has taken the writes of now.
final class TimeSeriesEnd {
  private static final String NAME = "check-ts-end-time-passed";

  private TimeSeriesEnd() {}

  /// Waits for the end of any index of time series.
  ///
  /// @param action that goes on then
  static Step of(String action) {
    return new Step(NAME, context -> passed(context, action));
  }

  /// Waits for that of a stream's earlier indices: the times of one that is written to go on, and
  /// an index that is in no stream has none unless somebody has set them.
  static Step ofStream(String action) {
    return new Step(
        NAME,
        context ->
            context.stream() == null || context.writingStream() != null
                ? Outcome.done()
                : passed(context, action));
  }

  private static Outcome passed(StepContext context, String action) {
    if (!TimeSeries.is(context.index().settings())) {
      return Outcome.done();
    }
    long end = TimeSeries.of(context.index().settings()).endMillis();
    return context.tools().nowMillis() >= end
        ? Outcome.done()
        : Outcome.waiting(
            "The [index.time_series.end_time] setting for index ["
                + context.name()
                + "] is ["
                + Instant.ofEpochMilli(end)
                + "]. Waiting until the index's time series end time lapses before proceeding with"
                + " action ["
                + action
                + "] as the index can still accept writes.");
  }
}
