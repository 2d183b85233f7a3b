package dev.holdfast.document.field.date;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.TermText;
import dev.holdfast.document.field.number.NumberColumns;
import dev.holdfast.document.field.number.NumberQueries;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `date` and `date_nanos`: points, and sorted-numeric doc values with a skip index.
public final class DateType implements ParameterizedField {
  public static final String FORMAT = "strict_date_optional_time||epoch_millis";

  private final FieldParameters parameters;
  private final DateFormat format;
  private final DateUnit unit;
  private final boolean ignoresMalformed;
  private final @Nullable Long nullValue;
  private final NumberQueries queries;

  public DateType(FieldParameters parameters, FieldContext context, boolean isNanos) {
    this.parameters = parameters;
    unit = isNanos ? DateUnit.NANOS : DateUnit.MILLIS;
    boolean isIndexed = parameters.bool("index", true, Change.FIXED);
    boolean hasDocValues = parameters.bool("doc_values", true, Change.FIXED);
    String whenAbsent = isNanos ? "strict_date_optional_time_nanos||epoch_millis" : FORMAT;
    format =
        DateFormat.of(
            parameters.string("format", whenAbsent, Change.FIXED), DateLocale.of(parameters));
    ignoresMalformed =
        parameters.bool(
            "ignore_malformed",
            context.flag("index.mapping.ignore_malformed", false),
            Change.ALLOWED);
    JsonNode whenNull = parameters.any("null_value", Change.FIXED);
    parameters.bool("store", false, Change.FIXED);
    parameters.done();
    nullValue = whenNull == null ? null : nullValue(whenNull);
    boolean hasPoints = isIndexed && !(hasDocValues && context.isSkipped(parameters.field()));
    queries = new NumberQueries(hasPoints, hasDocValues, Long.BYTES);
  }

  private Long nullValue(JsonNode value) {
    byte[] text = value.asText().getBytes(StandardCharsets.UTF_8);
    try {
      return unit.read(format, text, 0, text.length);
    } catch (Refusal e) {
      throw FieldParameters.mapperParsing("Error parsing [null_value] on field: " + e.reason());
    }
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
            queries.hasDocValues(), queries.hasPoints(), queries.pointBytes(), true),
        value -> {
          TermText.requireScalar(value);
          return unit.read(format, value.bytes(), value.offset(), value.length());
        },
        nullValue,
        ignoresMalformed,
        true,
        false);
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
    return queries.hasDocValues() ? unit.valuesKind() : ValuesKind.NONE;
  }

  @Override
  public ValuesKind sourceValues() {
    return unit.valuesKind();
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    return new DateValueFormat(format.withPattern(pattern), unit, zone);
  }

  /// Every instant that the text stands for: a day is a range.
  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    return rangeQuery(field, new Range(value, true, value, true, null, null), nowMillis);
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    values.forEach(value -> any.add(termQuery(field, value, nowMillis), Occur.SHOULD));
    return new ConstantScoreQuery(any.build());
  }

  /// `gte` and `lt` round down, `gt` and `lte` round up to the last instant, as Elasticsearch.
  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    DateFormat by = range.format() == null ? null : DateFormat.of(range.format());
    JsonNode from = range.from();
    JsonNode to = range.to();
    long least = Long.MIN_VALUE;
    long greatest = Long.MAX_VALUE;
    if (from != null) {
      boolean isInclusive = range.isFromInclusive();
      least = parse(by, from, range.zone(), !isInclusive, nowMillis);
      if (!isInclusive && least == Long.MAX_VALUE) {
        return new MatchNoDocsQuery("nothing is after the last instant");
      }
      least += isInclusive ? 0 : 1;
    }
    if (to != null) {
      boolean isInclusive = range.isToInclusive();
      greatest = parse(by, to, range.zone(), isInclusive, nowMillis);
      if (!isInclusive && greatest == Long.MIN_VALUE) {
        return new MatchNoDocsQuery("nothing is before the first instant");
      }
      greatest -= isInclusive ? 0 : 1;
    }
    return queries.range(field, least, greatest);
  }

  /// A number is milliseconds since the epoch, whatever format the field has, unless the query
  /// names one.
  ///
  /// @param by the query's format; null for none
  private long parse(
      @Nullable DateFormat by,
      JsonNode value,
      @Nullable ZoneId zone,
      boolean roundUp,
      long nowMillis) {
    try {
      return by == null && value.isNumber() && value.canConvertToLong()
          ? unit.ofMillis(value.longValue())
          : unit.parse(by == null ? format : by, value.asText(), zone, roundUp, nowMillis);
    } catch (Refusal e) {
      throw QueryFaults.noQuery(e);
    }
  }

  @Override
  public Query existsQuery(String field) {
    return queries.exists(field);
  }
}
