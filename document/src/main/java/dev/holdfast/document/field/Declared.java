package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;

/// A field type that keeps its parameters, which know how to show and to merge themselves.
interface Declared extends FieldType {
  Parameters parameters();

  @Override
  default String typeName() {
    return parameters().type();
  }

  @Override
  default ObjectNode toJson() {
    return parameters().toJson();
  }

  @Override
  default FieldType merge(String field, FieldType changed) {
    if (!(changed instanceof Declared declared)) {
      throw QueryFaults.typeChange(field, typeName(), changed.typeName());
    }
    parameters().checkChange(field, declared.parameters());
    return changed;
  }
}
