package dev.holdfast.document.ingest.processor;

import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;

/// Kinds of processors that Elasticsearch has and that are refused here, with what to do instead.
final class RefusedProcessors {
  private RefusedProcessors() {}

  static Processor attachment(ProcessorConfig config, PipelineParser parsing) {
    throw config.wrong(
        null,
        "processor [attachment] is not supported: the parsers of hundreds of file formats do not"
            + " run beside the data of others; take the text out of a file before it is indexed");
  }

  static Processor geoip(ProcessorConfig config, PipelineParser parsing) {
    throw config.wrong(
        null,
        "processor ["
            + config.type()
            + "] is not supported: there are no databases of places; use [enrich] with a policy of"
            + " type [range]");
  }
}
