package dev.holdfast.document.field.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldNames;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `binary`: Base64 text; kept in `_source`, and as binary doc values on demand. Not searchable.
public final class BinaryType implements ParameterizedField {
  private final FieldParameters parameters;
  private final boolean hasDocValues;
  private final boolean isStored;

  /// Earlier builds took what is refused now, and a log may have it.
  private final boolean isLenient;

  public BinaryType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    isLenient = context.isLenient();
    hasDocValues = parameters.bool("doc_values", false, Change.FIXED);
    isStored = parameters.bool("store", false, Change.FIXED);
    parameters.done();
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new BinaryColumns(field, hasDocValues, hasDocValues || isStored, isLenient);
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
