package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.Parameters.Change;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `binary`: Base64 text; kept in `_source`, and as binary doc values on demand. Not searchable.
final class BinaryType implements Declared {
  private final Parameters parameters;
  private final boolean hasDocValues;
  private final boolean isStored;

  BinaryType(Parameters parameters, FieldContext context) {
    this.parameters = parameters;
    hasDocValues = parameters.bool("doc_values", false, Change.FIXED);
    isStored = parameters.bool("store", false, Change.FIXED);
    parameters.done();
  }

  @Override
  public Parameters parameters() {
    return parameters;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new BinaryColumns(field, hasDocValues, hasDocValues || isStored);
  }

  @Override
  public boolean isSearchable() {
    return false;
  }

  @Override
  public boolean needsFieldName() {
    return isStored && !hasDocValues;
  }

  @Override
  public ValuesKind values() {
    return hasDocValues ? ValuesKind.BINARY : ValuesKind.NONE;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    return BinaryFormat.PLAIN;
  }

  private static Refusal notSearchable() {
    return QueryFaults.noQuery("Binary fields do not support searching");
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    throw notSearchable();
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    throw notSearchable();
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    throw notSearchable();
  }

  @Override
  public Query existsQuery(String field) {
    if (hasDocValues) {
      return new FieldExistsQuery(field);
    }
    return isStored
        ? FieldNames.exists(field)
        : new MatchNoDocsQuery("only _source has [" + field + "]");
  }
}
