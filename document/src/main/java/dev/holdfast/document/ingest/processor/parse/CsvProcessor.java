package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `csv`: the columns of a line as fields.
public record CsvProcessor(
    SourceField field,
    List<String> targets,
    char separator,
    char quote,
    boolean trims,
    @Nullable JsonNode emptyValue)
    implements Processor {
  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    List<String> targets = config.requiredList("target_fields");
    if (targets.isEmpty()) {
      throw config.wrong("target_fields", "target fields list can't be empty");
    }
    return new CsvProcessor(
        SourceField.of(config),
        targets,
        character(config, "separator", ","),
        character(config, "quote", "\""),
        config.flag("trim", false),
        config.take("empty_value"));
  }

  private static char character(ProcessorConfig config, String name, String whenAbsent) {
    String text = config.string(name, whenAbsent);
    if (text.length() != 1) {
      throw config.wrong(name, name + " has to be single character, like [" + whenAbsent + "]");
    }
    if ("\n\r\"".contains(text) && name.equals("separator")) {
      throw config.wrong(name, "separator can't be whitespace or quote");
    }
    return text.charAt(0);
  }

  @Override
  public void apply(IngestDocument document) {
    String line = field.text(document, "cannot extract CSV.");
    if (line == null) {
      return;
    }
    List<String> columns = new CsvLine(line, separator, quote, trims).columns(targets.size());
    for (int i = 0; i < columns.size(); i++) {
      String column = columns.get(i);
      FieldPath target = FieldPath.of(targets.get(i));
      if (!column.isEmpty()) {
        document.set(target, TextNode.valueOf(column));
      } else if (emptyValue != null) {
        document.set(target, emptyValue.deepCopy()); // other documents have their own
      }
    }
  }
}
