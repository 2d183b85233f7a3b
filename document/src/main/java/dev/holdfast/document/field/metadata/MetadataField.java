package dev.holdfast.document.field.metadata;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.KeywordFormat;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.world.Json;
import dev.holdfast.world.Promise;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// Types of metadata fields: never in a mapping, given no values by documents but for `_doc_count`.
interface MetadataField extends FieldType {
  @Override
  default ObjectNode toJson() {
    return Json.object().put("type", typeName());
  }

  @Override
  default FieldType merge(String field, FieldType changed) {
    return this;
  }

  @Override
  default FieldColumns newColumns(String field) {
    Promise.keep(false, "documents give no values to metadata fields", "field", field);
    throw new IllegalStateException();
  }

  @Override
  default boolean isSearchable() {
    return true;
  }

  @Override
  default ValuesKind values() {
    return ValuesKind.NONE;
  }

  @Override
  default ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw QueryFaults.noFormat(typeName(), typeName());
    }
    return KeywordFormat.PLAIN;
  }
}
