package dev.holdfast.document.ingest;

import dev.holdfast.world.Refusal;

/// A processor's failure on its way to a handler: what went wrong, and where.
final class IngestFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;
  private final transient Step step;
  private final transient FailurePlace place;

  IngestFailure(Refusal refusal, Step step, FailurePlace place) {
    super(refusal.reason(), refusal);
    this.refusal = refusal;
    this.step = step;
    this.place = place;
  }

  Refusal refusal() {
    return refusal;
  }

  /// What handlers are told: what the innermost cause says, as in Elasticsearch.
  String message() {
    Throwable innermost = refusal;
    for (Throwable cause = refusal.getCause(); cause != null; cause = cause.getCause()) {
      innermost = cause;
    }
    String said = innermost instanceof Refusal inner ? inner.reason() : innermost.getMessage();
    return said == null ? refusal.reason() : said;
  }

  Step step() {
    return step;
  }

  FailurePlace place() {
    return place;
  }

  String pipeline() {
    return place.pipeline();
  }
}
