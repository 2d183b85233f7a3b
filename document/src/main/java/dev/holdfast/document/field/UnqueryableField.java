package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.search.Query;

/// A field type whose documents are found by queries of its own, not by term and range.
public interface UnqueryableField extends ParameterizedField {
  /// Why term and range queries are refused.
  Refusal noMatch(String field);

  @Override
  default boolean isSearchable() {
    return true;
  }

  @Override
  default ValuesKind values() {
    return ValuesKind.NONE;
  }

  @Override
  default boolean needsFieldName() {
    return true;
  }

  @Override
  default Query termQuery(String field, JsonNode value, long nowMillis) {
    throw noMatch(field);
  }

  @Override
  default Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    throw noMatch(field);
  }

  @Override
  default Query rangeQuery(String field, Range range, long nowMillis) {
    throw noMatch(field);
  }

  @Override
  default Query existsQuery(String field) {
    return FieldNames.exists(field);
  }
}
