package dev.holdfast.api.ilm.action;

import dev.holdfast.api.ilm.action.LifecycleAction.Step;
import dev.holdfast.clusterstate.stream.DataStream;

/// The steps that actions begin with which forbid writes: the index that a data stream is written
/// to has to wait for a rollover.
final class WriteIndexCheck {
  static final Step STEP = new Step("check-not-write-index", WriteIndexCheck::check);

  static final Step READ_ONLY =
      new Step("readonly", context -> Outcome.done(context.setting("index.blocks.write", "true")));

  private WriteIndexCheck() {}

  private static Outcome check(StepContext context) {
    DataStream stream = context.writingStream();
    return stream == null
        ? Outcome.done()
        : Outcome.waiting(
            "index ["
                + context.name()
                + "] is the write index for data stream ["
                + stream.name()
                + "], pausing ILM execution of lifecycle ["
                + context.policy()
                + "] until this index is no longer the write index for the data stream via manual"
                + " or automated rollover");
  }
}
