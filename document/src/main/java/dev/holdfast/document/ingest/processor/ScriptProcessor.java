package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.ScriptContext;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.context.UpdateScript;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.util.List;
import java.util.Map;

/// `script`: changes the document through `ctx`.
record ScriptProcessor(ScriptContext.Given script) implements Processor {
  /// Of the document while it runs: the map that it changes, and the tree made of that.
  private static final int COPIES = 2;

  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    ObjectNode given = Json.object();
    for (String name : List.of("lang", "source", "inline", "id", "params", "options")) {
      JsonNode value = config.take(name);
      if (value != null) {
        given.set(name, value);
      }
    }
    try {
      ScriptContext.Given script = ScriptContext.given(given, parsing.pipelines());
      // Compiled now, so that a pipeline with a script that cannot be is refused.
      var _ = Scripts.compiled(script.now(), UpdateScript.INGEST);
      return new ScriptProcessor(script);
    } catch (Refusal e) {
      throw config.tagged(e);
    }
  }

  @Override
  public void apply(IngestDocument document) {
    try (Reservation _ = ScriptContext.copies(document, COPIES)) {
      Map<String, Object> ctx = ScriptContext.of(document);
      UpdateScript.run(script.now(), UpdateScript.INGEST, ctx);
      ScriptContext.write(ctx, document);
    }
  }
}
