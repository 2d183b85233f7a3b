package dev.holdfast.document.ingest.processor;

import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineCall;
import dev.holdfast.document.ingest.ProcessorType;
import dev.holdfast.document.ingest.processor.network.CommunityIdProcessor;
import dev.holdfast.document.ingest.processor.network.IpLocationProcessor;
import dev.holdfast.document.ingest.processor.network.NetworkDirectionProcessor;
import dev.holdfast.document.ingest.processor.network.RegisteredDomainProcessor;
import dev.holdfast.document.ingest.processor.network.UserAgentProcessor;
import dev.holdfast.document.ingest.processor.parse.AttachmentProcessor;
import dev.holdfast.document.ingest.processor.parse.ConvertProcessor;
import dev.holdfast.document.ingest.processor.parse.CsvProcessor;
import dev.holdfast.document.ingest.processor.parse.DateIndexNameProcessor;
import dev.holdfast.document.ingest.processor.parse.DateProcessor;
import dev.holdfast.document.ingest.processor.parse.DissectProcessor;
import dev.holdfast.document.ingest.processor.parse.GrokProcessor;
import dev.holdfast.document.ingest.processor.parse.JsonProcessor;
import dev.holdfast.document.ingest.processor.parse.KeyValueProcessor;
import dev.holdfast.document.ingest.processor.parse.RedactProcessor;
import dev.holdfast.document.ingest.processor.parse.UriPartsProcessor;
import dev.holdfast.document.ingest.processor.parse.UrlDecodeProcessor;
import dev.holdfast.world.Registry;

/// Every kind of processor. One line each.
public final class Processors {
  private Processors() {}

  public static Registry<ProcessorType> all() {
    return Registry.<ProcessorType>of("processor")
        .with("append", AppendProcessor::of)
        .with("attachment", AttachmentProcessor::of)
        .with("bytes", BytesProcessor::of)
        .with("community_id", CommunityIdProcessor::of)
        .with("convert", ConvertProcessor::of)
        .with("csv", CsvProcessor::of)
        .with("date", DateProcessor::of)
        .with("date_index_name", DateIndexNameProcessor::of)
        .with("dissect", DissectProcessor::of)
        .with("dot_expander", DotExpanderProcessor::of)
        .with("drop", (config, parsing) -> IngestDocument::drop)
        .with("enrich", EnrichProcessor::of)
        .with("fail", FailProcessor::of)
        .with("fingerprint", FingerprintProcessor::of)
        .with("foreach", ForEachProcessor::of)
        .with("geoip", IpLocationProcessor::of)
        .with("grok", GrokProcessor::of)
        .with("gsub", GsubProcessor::of)
        .with("html_strip", HtmlStripProcessor::of)
        .with("ip_location", IpLocationProcessor::of)
        .with("join", JoinProcessor::of)
        .with("json", JsonProcessor::of)
        .with("kv", KeyValueProcessor::of)
        .with("lowercase", CaseProcessors::lower)
        .with("network_direction", NetworkDirectionProcessor::of)
        .with("pipeline", PipelineCall::of)
        .with("recover_failure_document", RecoverFailureDocumentProcessor::of)
        .with("redact", RedactProcessor::of)
        .with("registered_domain", RegisteredDomainProcessor::of)
        .with("remove", RemoveProcessor::of)
        .with("rename", RenameProcessor::of)
        .with("reroute", RerouteProcessor::of)
        .with("set", SetProcessor::of)
        .with("script", ScriptProcessor::of)
        .with("sort", SortProcessor::of)
        .with("split", SplitProcessor::of)
        .with("terminate", (config, parsing) -> IngestDocument::terminate)
        .with("trim", TrimProcessor::of)
        .with("uppercase", CaseProcessors::upper)
        .with("uri_parts", UriPartsProcessor::of)
        .with("urldecode", UrlDecodeProcessor::of)
        .with("user_agent", UserAgentProcessor::of);
  }
}
