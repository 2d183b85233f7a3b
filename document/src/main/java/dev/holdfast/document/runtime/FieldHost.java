package dev.holdfast.document.runtime;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.ingest.processor.parse.TextPatterns;
import dev.holdfast.script.emit.EmitScript;
import dev.holdfast.script.emit.NamedGroups;
import org.jspecify.annotations.Nullable;

/// What scripts may ask of the field that they emit for.
///
/// @param type null for a composite, which has no formats
public record FieldHost(String field, @Nullable FieldType type) implements EmitScript.Host {
  private static final long NANOS_PER_MILLI = 1_000_000;

  @Override
  public long date(String text) {
    if (type == null) {
      throw new IllegalArgumentException("no dates are parsed for a composite");
    }
    long docValue = type.format(null, null).toDocValue(TextNode.valueOf(text), false, 0);
    return type.values() == ValuesKind.DATE_NANOS
        ? Math.floorDiv(docValue, NANOS_PER_MILLI)
        : docValue;
  }

  @Override
  public NamedGroups grok(String pattern) {
    return TextPatterns.grok(pattern);
  }

  @Override
  public NamedGroups dissect(String pattern) {
    return TextPatterns.dissect(pattern);
  }
}
