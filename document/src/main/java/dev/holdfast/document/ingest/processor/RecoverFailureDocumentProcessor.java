package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.ValueSize;
import dev.holdfast.world.Refusal;
import java.util.Map;

/// `recover_failure_document`: what a failure store has kept of a document is the document again,
/// under the index, id and routing that it had. What else was said of it stands under
/// `_ingest.pre_recovery`.
final class RecoverFailureDocumentProcessor {
  private static final String DOCUMENT = "document";
  private static final String SOURCE = "source";
  private static final Map<String, FieldPath> METADATA =
      Map.of(
          "index", FieldPath.of("_index"),
          "id", FieldPath.of("_id"),
          "routing", FieldPath.of("_routing"));

  private RecoverFailureDocumentProcessor() {}

  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return RecoverFailureDocumentProcessor::recover;
  }

  private static void recover(IngestDocument document) {
    ObjectNode failed = document.source();
    if (!(failed.get("error") instanceof ObjectNode)
        || !(failed.get(DOCUMENT) instanceof ObjectNode kept)
        || !(kept.get(SOURCE) instanceof ObjectNode source)) {
      throw Refusal.badArgument(
          "the document is none of a failure store: it lacks [error] or [document.source]");
    }
    kept.remove(SOURCE);
    document.grow(ValueSize.of(document.metadata()));
    ObjectNode before = failed.deepCopy();
    before.setAll(document.metadata());
    for (Map.Entry<String, FieldPath> one : METADATA.entrySet()) {
      JsonNode value = kept.get(one.getKey());
      if (value != null && !value.isNull()) {
        document.set(one.getValue(), value);
      }
    }
    document.ingest().set("pre_recovery", before);
    failed.removeAll();
    failed.setAll(source);
  }
}
