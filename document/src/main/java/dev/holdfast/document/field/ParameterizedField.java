package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValueFormat;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// A field type that keeps its parameters, which know how to show and to merge themselves.
public interface ParameterizedField extends FieldType {
  FieldParameters parameters();

  @Override
  default String typeName() {
    return parameters().type();
  }

  @Override
  default ObjectNode toJson() {
    return parameters().toJson();
  }

  @Override
  default @Nullable String sourceKeep() {
    return parameters().text(FieldParameters.SOURCE_KEEP);
  }

  @Override
  default boolean isDimension() {
    return parameters().isTrue(SeriesParameters.DIMENSION);
  }

  @Override
  default @Nullable String metric() {
    return parameters().text(SeriesParameters.METRIC);
  }

  @Override
  default boolean isStored() {
    return parameters().isTrue("store");
  }

  @Override
  default ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw QueryFaults.noFormat(typeName(), parameters().field());
    }
    return KeywordFormat.PLAIN;
  }

  @Override
  default FieldType merge(String field, FieldType changed) {
    if (!(changed instanceof ParameterizedField declared)) {
      throw QueryFaults.typeChange(field, typeName(), changed.typeName());
    }
    parameters().checkChange(field, declared.parameters());
    return changed;
  }
}
