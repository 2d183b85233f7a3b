package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.BoundedText;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `kv`: pairs of keys and values in a text as fields.
///
/// @param included keys that are taken; empty for all
/// @param target the object that takes the fields; null for the document
public record KeyValueProcessor(
    SourceField field,
    @Nullable TextTemplate target,
    Pattern fieldSplit,
    Pattern valueSplit,
    Set<String> included,
    Set<String> excluded,
    String prefix,
    String trimmedOfKeys,
    String trimmedOfValues,
    boolean stripsBrackets)
    implements Processor {
  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String target = config.string("target_field");
    return new KeyValueProcessor(
        SourceField.of(config),
        target == null ? null : TextTemplate.of(target),
        config.pattern("field_split"),
        config.pattern("value_split"),
        Set.copyOf(config.list("include_keys")),
        Set.copyOf(config.list("exclude_keys")),
        config.string("prefix", ""),
        config.string("trim_key", ""),
        config.string("trim_value", ""),
        config.flag("strip_brackets", false));
  }

  /// A pair, as parts of the text and as a member, beside its characters.
  private static final long PAIR_BYTES = 400;

  @Override
  public void apply(IngestDocument document) {
    String text = field.text(document, "cannot extract key-value pairs.");
    if (text == null) {
      return;
    }
    String holder = target == null ? "" : target.fill(document) + ".";
    document.grow(PAIR_BYTES * new BoundedText(text).parts(fieldSplit));
    for (String part : new BoundedText(text).split(fieldSplit, 0)) {
      String[] pair = new BoundedText(part).split(valueSplit, 2);
      if (pair.length != 2) {
        throw Refusal.badArgument(
            "field ["
                + field.from().fill(document)
                + "] does not contain value_split ["
                + valueSplit
                + "]");
      }
      String key = trimmed(pair[0], trimmedOfKeys);
      if ((included.isEmpty() || included.contains(key)) && !excluded.contains(key)) {
        FieldPath path = FieldPath.of(holder + prefix + key);
        String value = trimmed(stripsBrackets ? stripped(pair[1]) : pair[1], trimmedOfValues);
        if (document.find(path) == null) {
          document.set(path, TextNode.valueOf(value));
        } else {
          document.append(path, TextNode.valueOf(value), true);
        }
      }
    }
  }

  private static String trimmed(String text, String characters) {
    int start = 0;
    int end = text.length();
    while (start < end && characters.indexOf(text.charAt(start)) >= 0) {
      start++;
    }
    while (end > start && characters.indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(start, end);
  }

  private static String stripped(String text) {
    boolean isEnclosed =
        text.length() > 1
            && "([<\"'".indexOf(text.charAt(0)) >= 0
            && ")]>\"'".indexOf(text.charAt(text.length() - 1)) == "([<\"'".indexOf(text.charAt(0));
    return isEnclosed ? text.substring(1, text.length() - 1) : text;
  }
}
