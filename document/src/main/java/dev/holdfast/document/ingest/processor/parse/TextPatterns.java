package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.emit.NamedGroups;
import dev.holdfast.world.text.BoundedText;
import java.util.LinkedHashMap;
import java.util.Map;

/// The patterns of the `grok` and `dissect` processors, for scripts of fields.
public final class TextPatterns {
  private TextPatterns() {}

  /// @throws dev.holdfast.world.Refusal 400 for what is no expression
  public static NamedGroups grok(String pattern) {
    GrokExpression expression = GrokExpression.of(pattern, GrokPatterns.of("disabled"));
    return text -> {
      Map<String, JsonNode> found = text == null ? null : expression.match(new BoundedText(text));
      if (found == null) {
        return null;
      }
      Map<String, Object> parts = new LinkedHashMap<>();
      found.forEach((name, value) -> {
        Object part = ScriptValues.java(value);
        if (part != null) {
          parts.put(name, part);
        }
      });
      return parts;
    };
  }

  /// @throws dev.holdfast.world.Refusal 400 for what is no pattern, and later for texts that are
  ///   not of it
  public static NamedGroups dissect(String pattern) {
    DissectPattern parts = DissectPattern.of(pattern, "");
    return text -> text == null ? null : new LinkedHashMap<>(parts.match(text));
  }
}
