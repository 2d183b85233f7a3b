package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.document.ingest.ValueSize;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.BoundedText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;

/// `redact`: what grok expressions match of a text is replaced by the first names in them.
///
/// @param traces whether something was found is told under `_ingest._redact._is_redacted`
public record RedactProcessor(
    SourceField field,
    List<GrokExpression> expressions,
    String prefix,
    String suffix,
    boolean traces)
    implements Processor {
  /// A part of a text that goes, in its list.
  private static final long PART_BYTES = 48;

  private static final FieldPath TRACE = FieldPath.of("_ingest._redact._is_redacted");

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String field = config.requiredString("field");
    List<String> patterns = config.requiredList("patterns");
    if (patterns.isEmpty()) {
      throw config.wrong("patterns", "List of patterns must not be empty");
    }
    Map<String, String> known = new TreeMap<>(GrokPatterns.of("v1"));
    known.putAll(config.namedTexts("pattern_definitions"));
    List<GrokExpression> expressions = new ArrayList<>();
    try {
      patterns.forEach(pattern -> expressions.add(GrokExpression.of(pattern, known)));
    } catch (Refusal e) {
      throw config.wrong("patterns", e.reason());
    }
    for (int i = 0; i < patterns.size(); i++) {
      if (expressions.get(i).fields().isEmpty()) {
        throw config.wrong(
            "patterns",
            "[" + patterns.get(i) + "] gives no name that could stand in the place of a match");
      }
    }
    boolean _ = config.flag("skip_if_unlicensed", false); // there is one license, and it is there
    return new RedactProcessor(
        new SourceField(
            TextTemplate.of(field), TextTemplate.of(field), config.flag("ignore_missing", true)),
        expressions,
        config.string("prefix", "<"),
        config.string("suffix", ">"),
        config.flag("trace_redact", false));
  }

  /// A part of a text that goes.
  private record Part(int start, int end, String name) {}

  @Override
  public void apply(IngestDocument document) {
    String text = field.text(document, "cannot redact it.");
    if (text == null) {
      return;
    }
    List<Part> parts = new ArrayList<>();
    BoundedText bounded = new BoundedText(text);
    for (GrokExpression expression : expressions) {
      find(document, expression, bounded, parts);
    }
    if (parts.isEmpty()) {
      return;
    }
    String left = replaced(text, bounded, parts);
    document.grow(ValueSize.ofText(left.length()));
    field.write(document, TextNode.valueOf(left));
    if (traces) {
      document.set(TRACE, BooleanNode.TRUE);
    }
  }

  private static void find(
      IngestDocument document, GrokExpression expression, BoundedText text, List<Part> parts) {
    String name = expression.fields().getFirst().name();
    Matcher matcher = expression.pattern().matcher(text);
    while (BoundedText.find(matcher)) {
      if (matcher.end() > matcher.start()) {
        document.grow(PART_BYTES);
        parts.add(new Part(matcher.start(), matcher.end(), name));
      }
    }
  }

  /// What overlaps or touches goes as one, under the name of its longest part.
  private String replaced(String text, BoundedText bounded, List<Part> parts) {
    parts.sort(Comparator.comparingInt(Part::start).thenComparingInt(part -> -part.end()));
    StringBuilder left = new StringBuilder();
    int position = 0;
    for (int i = 0; i < parts.size(); ) {
      Part longest = parts.get(i);
      int start = longest.start();
      int end = longest.end();
      for (i++; i < parts.size() && parts.get(i).start() <= end; i++) {
        Part next = parts.get(i);
        end = Math.max(end, next.end());
        if (next.end() - next.start() > longest.end() - longest.start()) {
          longest = next;
        }
      }
      left.append(text, position, start).append(prefix).append(longest.name()).append(suffix);
      bounded.requireBounded(left); // the name may be far longer than what it replaces
      position = end;
    }
    return left.append(text, position, text.length()).toString();
  }
}
