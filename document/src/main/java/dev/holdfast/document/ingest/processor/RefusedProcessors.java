package dev.holdfast.document.ingest.processor;

import dev.holdfast.document.ingest.ProcessorType;

/// Kinds of processors that Elasticsearch has and that are refused here, with what to do instead.
final class RefusedProcessors {
  static final ProcessorType ATTACHMENT =
      because(
          "the parsers of hundreds of file formats do not run beside the data of others; take the"
              + " text out of a file before it is indexed");

  private RefusedProcessors() {}

  private static ProcessorType because(String why) {
    return (config, parsing) -> {
      throw config.wrong(null, "processor [" + config.type() + "] is not supported: " + why);
    };
  }
}
