package dev.holdfast.document.ingest;

/// One change of a document.
@FunctionalInterface
public interface Processor {
  /// @throws dev.holdfast.world.Refusal when the document is not as the processor needs it
  void apply(IngestDocument document);
}
