package dev.holdfast.document.ingest;

/// A kind of processor: makes one of its configuration. Adding one is a file and a line in the
/// registry.
@FunctionalInterface
public interface ProcessorType {
  /// @param parsing what a processor that holds others, or calls a pipeline, needs
  /// @throws dev.holdfast.world.Refusal `parse_exception` when the configuration is wrong
  Processor of(ProcessorConfig config, PipelineParser parsing);
}
