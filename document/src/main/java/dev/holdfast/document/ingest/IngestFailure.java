package dev.holdfast.document.ingest;

import dev.holdfast.world.Refusal;

/// A processor's failure on its way to a handler: what went wrong, and where.
final class IngestFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;
  private final transient Step step;
  private final String pipeline;

  IngestFailure(Refusal refusal, Step step, String pipeline) {
    super(refusal.reason(), refusal);
    this.refusal = refusal;
    this.step = step;
    this.pipeline = pipeline;
  }

  Refusal refusal() {
    return refusal;
  }

  Step step() {
    return step;
  }

  String pipeline() {
    return pipeline;
  }
}
