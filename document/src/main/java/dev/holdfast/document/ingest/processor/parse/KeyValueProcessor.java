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
import dev.holdfast.world.text.RegularExpressions;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// `kv`: pairs of keys and values in a text as fields.
///
/// @param included keys that are taken; empty for all
/// @param target the object that takes the fields; null for the document
/// @param trimmedOfKeys what goes at the ends of keys
/// @param trimmedOfValues what goes at the ends of values
public record KeyValueProcessor(
    SourceField field,
    @Nullable TextTemplate target,
    Pattern fieldSplit,
    Pattern valueSplit,
    Set<String> included,
    Set<String> excluded,
    String prefix,
    @Nullable Pattern trimmedOfKeys,
    @Nullable Pattern trimmedOfValues,
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
        trimmed(config, "trim_key"),
        trimmed(config, "trim_value"),
        config.flag("strip_brackets", false));
  }

  /// Characters of an option, as they may stand in the brackets of a regular expression.
  private static @Nullable Pattern trimmed(ProcessorConfig config, String name) {
    String characters = config.string(name, "");
    if (characters.isEmpty()) {
      return null;
    }
    String some = "[" + characters + "]+";
    try {
      return RegularExpressions.compile("^" + some + "|" + some + "$", 0);
    } catch (PatternSyntaxException e) {
      throw config.wrong(name, "Invalid regex pattern. " + e.getMessage());
    }
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
    BoundedText.Looks looks = new BoundedText.Looks(); // of all parts together
    document.grow(PAIR_BYTES * new BoundedText(text, looks).parts(fieldSplit));
    for (String part : new BoundedText(text, looks).split(fieldSplit, 0)) {
      String[] pair = new BoundedText(part, looks).split(valueSplit, 2);
      if (pair.length != 2) {
        throw Refusal.badArgument(
            "field ["
                + field.from().fill(document)
                + "] does not contain value_split ["
                + valueSplit
                + "]");
      }
      String key = trimmed(pair[0], trimmedOfKeys, looks);
      if ((included.isEmpty() || included.contains(key)) && !excluded.contains(key)) {
        FieldPath path = FieldPath.of(holder + prefix + key);
        String value =
            trimmed(stripsBrackets ? stripped(pair[1]) : pair[1], trimmedOfValues, looks);
        if (document.find(path) == null) {
          document.set(path, TextNode.valueOf(value));
        } else {
          document.append(path, TextNode.valueOf(value), true);
        }
      }
    }
  }

  private static String trimmed(String text, @Nullable Pattern ends, BoundedText.Looks looks) {
    return ends == null ? text : new BoundedText(text, looks).replaced(ends, "", true);
  }

  /// Without what opens at its begin and what closes at its end, each by itself.
  private static String stripped(String text) {
    int start = !text.isEmpty() && "([<\"'".indexOf(text.charAt(0)) >= 0 ? 1 : 0;
    int end = text.length();
    boolean isClosed = end > start && ")]>\"'".indexOf(text.charAt(end - 1)) >= 0;
    return text.substring(start, isClosed ? end - 1 : end);
  }
}
