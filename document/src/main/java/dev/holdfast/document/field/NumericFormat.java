package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.world.Promise;
import org.apache.lucene.util.BytesRef;

/// Formats of numeric kinds: they have no terms.
public interface NumericFormat extends ValueFormat {
  @Override
  default String toText(BytesRef term) {
    throw broken();
  }

  @Override
  default BytesRef toTerm(JsonNode value) {
    throw broken();
  }

  private static IllegalStateException broken() {
    Promise.keep(false, "numeric kinds have no terms");
    return new IllegalStateException();
  }
}
