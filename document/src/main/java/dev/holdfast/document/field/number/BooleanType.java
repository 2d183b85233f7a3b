package dev.holdfast.document.field.number;

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
import dev.holdfast.document.field.SeriesParameters;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// `boolean`: terms `T` and `F`, and sorted-numeric doc values 1 and 0.
public final class BooleanType implements ParameterizedField {
  private final FieldParameters parameters;
  private final boolean isIndexed;
  private final boolean hasDocValues;
  private final boolean ignoresMalformed;
  private final @Nullable Boolean nullValue;

  public BooleanType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    isIndexed = parameters.bool("index", true, Change.FIXED);
    hasDocValues = parameters.bool("doc_values", true, Change.FIXED);
    ignoresMalformed =
        parameters.givenBool(
            "ignore_malformed",
            context.flag("index.mapping.ignore_malformed", false),
            Change.ALLOWED);
    JsonNode whenNull = parameters.any("null_value", Change.FIXED);
    nullValue = whenNull == null ? null : Boolean.valueOf(parse(whenNull.asText()));
    parameters.bool("store", false, Change.FIXED);
    boolean _ = SeriesParameters.dimension(parameters, hasDocValues);
    parameters.done();
  }

  private static boolean parse(String text) {
    return switch (text) {
      case "true" -> true;
      case "false", "" -> false;
      default -> throw notBoolean(text);
    };
  }

  private static Refusal notBoolean(String text) {
    return Refusal.badArgument(
        "Failed to parse value [" + text + "] as only [true] or [false] are allowed.");
  }

  private static long read(JsonValue value) {
    return switch (value.kind()) {
      case TRUE -> 1;
      case FALSE -> 0;
      case STRING -> parse(value.text()) ? 1 : 0;
      case NUMBER -> throw notBoolean(value.text());
      case OBJECT, ARRAY ->
          throw Refusal.badArgument(
              "Failed to parse value as boolean: found a START_" + value.kind());
    };
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new BooleanColumns(
        field, isIndexed, hasDocValues, BooleanType::read, nullValue, ignoresMalformed);
  }

  @Override
  public boolean isSearchable() {
    return isIndexed || hasDocValues;
  }

  @Override
  public boolean needsFieldName() {
    return !hasDocValues && (isIndexed || isStored());
  }

  @Override
  public boolean isRebuilt() {
    return true;
  }

  @Override
  public ValuesKind values() {
    return hasDocValues ? ValuesKind.BOOLEAN : ValuesKind.NONE;
  }

  @Override
  public ValuesKind sourceValues() {
    return ValuesKind.BOOLEAN;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw QueryFaults.noFormat(typeName(), parameters.field());
    }
    return BooleanFormat.PLAIN;
  }

  private static boolean queried(JsonNode value) {
    try {
      if (!value.asText().isEmpty()) {
        return parse(value.asText());
      }
      throw notBoolean("");
    } catch (Refusal e) {
      throw QueryFaults.noQuery(
          "Can't parse boolean value [" + value.asText() + "], expected [true] or [false]");
    }
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    boolean wanted = queried(value);
    if (isIndexed) {
      return new TermQuery(new Term(field, new BytesRef(wanted ? "T" : "F")));
    }
    requireDocValues(field);
    return SortedNumericDocValuesField.newSlowExactQuery(field, wanted ? 1 : 0);
  }

  private void requireDocValues(String field) {
    if (!hasDocValues) {
      throw QueryFaults.notSearchable(field);
    }
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    if (isIndexed) {
      return new TermInSetQuery(
          field, values.stream().map(v -> new BytesRef(queried(v) ? "T" : "F")).toList());
    }
    requireDocValues(field);
    return SortedNumericDocValuesField.newSlowSetQuery(
        field, values.stream().mapToLong(v -> queried(v) ? 1 : 0).toArray());
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    long from = range.from() == null ? 0 : queried(range.from()) ? 1 : 0;
    long to = range.to() == null ? 1 : queried(range.to()) ? 1 : 0;
    long least = range.from() == null || range.isFromInclusive() ? from : from + 1;
    long greatest = range.to() == null || range.isToInclusive() ? to : to - 1;
    if (least > greatest) {
      return new MatchNoDocsQuery("empty range");
    }
    if (hasDocValues) {
      return SortedNumericDocValuesField.newSlowRangeQuery(field, least, greatest);
    }
    List<BytesRef> terms =
        least == greatest
            ? List.of(new BytesRef(least == 1 ? "T" : "F"))
            : List.of(new BytesRef("F"), new BytesRef("T"));
    return new TermInSetQuery(field, terms);
  }

  @Override
  public Query existsQuery(String field) {
    return hasDocValues ? new FieldExistsQuery(field) : FieldNames.exists(field);
  }
}
