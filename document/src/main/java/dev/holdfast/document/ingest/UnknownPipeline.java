package dev.holdfast.document.ingest;

import dev.holdfast.world.Refusal;

/// A simulation came to a pipeline that does not exist: no handler takes it.
public final class UnknownPipeline extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  UnknownPipeline(Refusal refusal) {
    super(refusal.reason(), refusal);
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }
}
