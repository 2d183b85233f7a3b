package dev.holdfast.document.ingest;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// The `pipeline` processor: takes the document through another pipeline.
///
/// @param name of the pipeline, filled with the document's values
public record PipelineCall(Pipelines pipelines, TextTemplate name, boolean ignoresMissing)
    implements Processor {
  public static PipelineCall of(ProcessorConfig config, PipelineParser parsing) {
    return new PipelineCall(
        parsing.pipelines(),
        TextTemplate.of(config.requiredString("name")),
        config.flag("ignore_missing_pipeline", false));
  }

  @Override
  public void apply(IngestDocument document) {
    IngestPipeline called = called(document);
    if (called != null) {
      called.call(document);
    }
  }

  /// Refuses what a simulation refuses as a whole: a pipeline that does not exist.
  void requireCallable(IngestDocument document) {
    if (pipelines.find(name.fill(document)) == null && !ignoresMissing) {
      throw new UnknownPipeline(Refusal.badArgument(missing(document)));
    }
  }

  /// The refusal of a call that comes back to itself, found out with a copy of the document; null
  /// when it does not.
  @Nullable Refusal cycle(IngestDocument document) {
    IngestPipeline called = called(document);
    try {
      if (called != null) {
        called.call(document.copy());
      }
      return null;
    } catch (Refusal e) {
      return e.type() == ErrorType.GRAPH_STRUCTURE ? e : null;
    } catch (IngestFailure e) {
      return e.refusal().type() == ErrorType.GRAPH_STRUCTURE ? e.refusal() : null;
    }
  }

  private @Nullable IngestPipeline called(IngestDocument document) {
    IngestPipeline called = pipelines.find(name.fill(document));
    if (called == null && !ignoresMissing) {
      throw new Refusal(ErrorType.ILLEGAL_STATE_OF_REQUEST, missing(document));
    }
    return called;
  }

  private String missing(IngestDocument document) {
    return "Pipeline processor configured for non-existent pipeline [" + name.fill(document) + "]";
  }
}
