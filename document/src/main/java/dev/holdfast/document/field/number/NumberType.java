package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.SeriesParameters;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalLong;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Numbers: `long integer short byte unsigned_long double float half_float scaled_float`. Points
/// and sorted-numeric doc values.
public final class NumberType implements ParameterizedField {
  private final FieldParameters parameters;
  private final NumberKind kind;
  private final boolean coerces;
  private final boolean ignoresMalformed;
  private final @Nullable Long nullValue;
  private final NumberQueries queries;

  public NumberType(FieldParameters parameters, FieldContext context, NumberKind kind) {
    this.parameters = parameters;
    this.kind = kind;
    boolean isIndexed = parameters.bool("index", true, Change.FIXED);
    boolean hasDocValues = parameters.bool("doc_values", true, Change.FIXED);
    coerces =
        parameters.givenBool("coerce", context.flag("index.mapping.coerce", true), Change.ALLOWED);
    ignoresMalformed =
        parameters.givenBool(
            "ignore_malformed",
            context.flag("index.mapping.ignore_malformed", false),
            Change.ALLOWED);
    JsonNode whenNull = parameters.any("null_value", Change.FIXED);
    parameters.bool("store", false, Change.FIXED);
    SeriesParameters.numberMetric(parameters, hasDocValues);
    parameters.done();
    nullValue = whenNull == null ? null : nullValue(whenNull);
    queries = new NumberQueries(isIndexed, hasDocValues, kind.pointBytes());
  }

  private Long nullValue(JsonNode value) {
    OptionalLong exact = kind.exact(value);
    if (exact.isEmpty()) {
      throw FieldParameters.mapperParsing(
          "Failed to parse [null_value]: [" + value.asText() + "] is no " + typeName());
    }
    return exact.getAsLong();
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new NumberColumns(
        field,
        ColumnTypes.numbers(
            queries.hasDocValues(), queries.hasPoints(), queries.pointBytes(), false),
        value -> kind.read(value, coerces),
        nullValue,
        ignoresMalformed,
        false,
        coerces);
  }

  @Override
  public boolean isSearchable() {
    return queries.hasPoints() || queries.hasDocValues();
  }

  @Override
  public boolean needsFieldName() {
    return !queries.hasDocValues() && (queries.hasPoints() || isStored());
  }

  @Override
  public boolean isRebuilt() {
    return true;
  }

  @Override
  public ValuesKind values() {
    return queries.hasDocValues() ? kind.valuesKind() : ValuesKind.NONE;
  }

  @Override
  public ValuesKind sourceValues() {
    return kind.valuesKind();
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (zone != null) {
      throw QueryFaults.noZone(typeName(), parameters.field());
    }
    return new NumberFormat(kind, pattern);
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    OptionalLong exact = kind.exact(value);
    return exact.isEmpty()
        ? new MatchNoDocsQuery("no " + typeName() + " is " + value.asText())
        : queries.exact(field, exact.getAsLong());
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    return queries.anyOf(field, NumberQueries.exact(kind, values));
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    return queries.range(field, kind, range);
  }

  @Override
  public Query existsQuery(String field) {
    return queries.exists(field);
  }
}
