package dev.holdfast.document.ingest;

import dev.holdfast.world.Refusal;
import java.util.List;

/// Steps under an id, with what is done when one of them fails.
public record IngestPipeline(String id, List<Step> steps, List<Step> onFailure) {
  /// Takes a document through the pipeline.
  ///
  /// @throws Refusal when a step failed and nobody handled it
  public void run(IngestDocument document) {
    try {
      document.inside(this, () -> runSteps(document));
    } catch (IngestFailure e) {
      document.failedAt(e.place());
      throw e.refusal();
    }
  }

  /// Takes a document that comes from another pipeline through this one; a failure stays one of the
  /// step where it happened.
  void call(IngestDocument document) {
    document.inside(this, () -> runSteps(document));
  }

  private void runSteps(IngestDocument document) {
    IngestMeters.Meter meter = document.meters().of(this);
    long start = meter.began();
    boolean hasFailed = true;
    try {
      each(document);
      hasFailed = false;
    } catch (IngestFailure e) {
      if (onFailure.isEmpty()) {
        throw e;
      }
      Step.handle(onFailure, e, document);
      hasFailed = false;
    } finally {
      meter.ended(start, hasFailed);
    }
  }

  private void each(IngestDocument document) {
    IngestMeters meters = document.meters();
    for (int i = 0; i < steps.size() && !document.isDropped() && !document.isTerminated(); i++) {
      steps.get(i).run(document, meters.of(this, i));
    }
  }
}
