package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.BoundedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// `grok`: parts of a text, found by named regular expressions, as fields.
///
/// @param traces which expression matched is told under `_ingest._grok_match_index`
public record GrokProcessor(SourceField field, List<GrokExpression> expressions, boolean traces)
    implements Processor {
  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    SourceField field = SourceField.of(config);
    List<String> patterns = config.requiredList("patterns");
    if (patterns.isEmpty()) {
      throw config.wrong("patterns", "List of patterns must not be empty");
    }
    String mode = config.string("ecs_compatibility", "disabled");
    if (!GrokPatterns.MODES.contains(mode)) {
      throw config.wrong("ecs_compatibility", "unsupported mode '" + mode + "'");
    }
    Map<String, String> known = new TreeMap<>(GrokPatterns.of(mode));
    known.putAll(config.namedTexts("pattern_definitions"));
    List<GrokExpression> expressions = new ArrayList<>();
    try {
      patterns.forEach(pattern -> expressions.add(GrokExpression.of(pattern, known)));
    } catch (Refusal e) {
      throw config.wrong("patterns", e.reason());
    }
    return new GrokProcessor(field, expressions, config.flag("trace_match", false));
  }

  @Override
  public void apply(IngestDocument document) {
    String text = field.text(document, "cannot process it.");
    if (text == null) {
      return;
    }
    BoundedText bounded = new BoundedText(text);
    for (int i = 0; i < expressions.size(); i++) {
      Map<String, JsonNode> found = expressions.get(i).match(bounded);
      if (found != null) {
        found.forEach((name, value) -> document.set(FieldPath.of(name), value));
        if (traces) {
          document.set(
              FieldPath.of("_ingest._grok_match_index"), TextNode.valueOf(Integer.toString(i)));
        }
        return;
      }
    }
    throw Refusal.badArgument("Provided Grok expressions do not match field value: [" + text + "]");
  }
}
