package dev.holdfast.document.ingest;

import dev.holdfast.script.context.ConditionScript;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A processor in its place in a pipeline.
///
/// @param tag null for none
/// @param condition what must hold for the processor to run; null for nothing
/// @param onFailure what is done when the processor fails; empty to let the failure pass
public record Step(
    String type,
    @Nullable String tag,
    @Nullable String description,
    ScriptContext.@Nullable Given condition,
    boolean ignoresFailure,
    List<Step> onFailure,
    Processor processor) {

  /// Takes steps one after the other until the document is dropped or is done.
  static void all(List<Step> steps, IngestDocument document) {
    for (Step step : steps) {
      if (document.isDropped() || document.isTerminated()) {
        return;
      }
      step.run(document);
    }
  }

  /// Handles a failure: tells the handlers of it, and takes them.
  static void handle(List<Step> handlers, IngestFailure failure, IngestDocument document) {
    document.failed(failure);
    try {
      all(handlers, document);
    } finally {
      document.recovered();
    }
  }

  /// Takes this step.
  public void run(IngestDocument document) {
    run(document, IngestMeters.Meter.NONE);
  }

  /// The same, counted.
  void run(IngestDocument document, IngestMeters.Meter meter) {
    StopSignal.pollForCancelling();
    IngestFailure failure = null;
    try {
      if (condition != null && !isMet(condition, document)) {
        document.trace(this, Trace.Outcome.SKIPPED, null);
        return;
      }
      if (document.isTraced() && processor instanceof PipelineCall call) {
        call.requireCallable(document);
        Refusal cycle = call.cycle(document);
        if (cycle != null) {
          throw cycle;
        }
      }
      trace(document, Trace.Outcome.CALL, null);
      apply(document, meter);
    } catch (Refusal e) {
      if (e.type() == ErrorType.TASK_CANCELLED) {
        throw e; // no failure of this step, which others could handle
      }
      failure = new IngestFailure(e, this, document.place(this));
    } catch (IngestFailure e) {
      failure = e;
    } catch (UnknownPipeline | StopSignal.TimeOver e) {
      throw e;
    } catch (RuntimeException e) { // of this document: others of its request go on
      String said = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      Refusal why = new Refusal(ErrorType.ILLEGAL_ARGUMENT, said, e);
      failure = new IngestFailure(why, this, document.place(this));
    }
    if (failure == null) {
      trace(document, document.isDropped() ? Trace.Outcome.DROPPED : Trace.Outcome.SUCCESS, null);
      return;
    }
    trace(
        document,
        ignoresFailure ? Trace.Outcome.ERROR_IGNORED : Trace.Outcome.ERROR,
        failure.refusal());
    if (ignoresFailure) {
      return;
    }
    if (onFailure.isEmpty()) {
      throw failure;
    }
    handle(onFailure, failure, document);
  }

  private static boolean isMet(ScriptContext.Given condition, IngestDocument document) {
    try (Reservation _ = ScriptContext.copies(document, 1)) {
      return ConditionScript.holds(condition.now(), ScriptContext.readOnly(document));
    }
  }

  private void apply(IngestDocument document, IngestMeters.Meter meter) {
    long start = meter.began();
    boolean hasFailed = true;
    try {
      processor.apply(document);
      hasFailed = false;
    } finally {
      meter.ended(start, hasFailed);
    }
  }

  private void trace(IngestDocument document, Trace.Outcome outcome, @Nullable Refusal error) {
    // A call of a pipeline is told before the steps of what it calls; any other when it is over.
    boolean isCall = processor instanceof PipelineCall;
    boolean isCycle = error != null && error.type() == ErrorType.GRAPH_STRUCTURE;
    if (isCycle || isCall == (outcome == Trace.Outcome.CALL)) {
      document.trace(this, outcome, error);
    }
  }
}
