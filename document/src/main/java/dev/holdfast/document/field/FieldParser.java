package dev.holdfast.document.field;

import dev.holdfast.document.FieldType;

/// Makes a field type of its mapping; one a kind.
@FunctionalInterface
public interface FieldParser {
  /// @throws dev.holdfast.world.Refusal `mapper_parsing_exception` for unknown or bad parameters
  FieldType parse(FieldParameters parameters, FieldContext context);
}
