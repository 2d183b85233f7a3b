package dev.holdfast.document.field.range;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldNames;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.PointColumns;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.date.DateLocale;
import dev.holdfast.document.field.date.DateType;
import dev.holdfast.document.field.number.NumberKind;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// `integer_range float_range long_range double_range date_range ip_range`: points of two
/// dimensions, and sorted-set doc values of the same bytes.
public final class RangeType implements ParameterizedField {
  private final FieldParameters parameters;
  private final RangeKind kind;
  private final boolean isIndexed;
  private final boolean hasDocValues;

  /// Earlier builds took ends that are refused now, and a log may have them.
  private final boolean ignoresMalformed;

  private RangeType(FieldParameters parameters, FieldContext context, RangeKind kind) {
    this.parameters = parameters;
    this.kind = kind;
    ignoresMalformed = context.isLenient();
    isIndexed = parameters.bool("index", true, Change.FIXED);
    hasDocValues = parameters.bool("doc_values", true, Change.FIXED);
    parameters.bool("store", false, Change.FIXED);
    parameters.done();
  }

  public static RangeType of(FieldParameters parameters, FieldContext context, NumberKind kind) {
    boolean coerces = coerces(parameters, context);
    return new RangeType(parameters, context, new NumberRangeKind(kind, coerces));
  }

  private static boolean coerces(FieldParameters parameters, FieldContext context) {
    return parameters.givenBool(
        "coerce", context.flag("index.mapping.coerce", true), Change.ALLOWED);
  }

  public static RangeType ofDates(FieldParameters parameters, FieldContext context) {
    DateFormat format =
        DateFormat.of(
            parameters.string("format", DateType.FORMAT, Change.FIXED), DateLocale.of(parameters));
    coerces(parameters, context); // dates are texts in every format: nothing to coerce
    return new RangeType(parameters, context, new DateRangeKind(format));
  }

  public static RangeType ofAddresses(FieldParameters parameters, FieldContext context) {
    coerces(parameters, context); // addresses are texts: nothing to coerce
    return new RangeType(parameters, context, new AddressRangeKind());
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public boolean readsObjects() {
    return true;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new PointColumns(
        field,
        ColumnTypes.points(2, kind.bytes(), isIndexed, hasDocValues),
        isSearchable(),
        2 * kind.bytes(),
        this::read,
        null,
        _ -> ignoresMalformed);
  }

  private void read(JsonValue value, byte[] to) {
    if (value.kind() != JsonValue.Kind.OBJECT) {
      if (value.kind() != JsonValue.Kind.STRING || !kind.readsText()) {
        throw Refusal.badArgument(
            "error parsing field ["
                + parameters.field()
                + "], expected an object but got "
                + parameters.field().substring(parameters.field().lastIndexOf('.') + 1));
      }
      String text = value.text();
      if (text.indexOf('/') < 0 && !ignoresMalformed) {
        throw Refusal.badArgument("Expected [ip/prefix] but was [" + text + "]");
      }
      kind.readText(text, to);
      return;
    }
    Range range = range((ObjectNode) value.tree());
    if (!kind.read(range, false, 0, to)) {
      throw Refusal.badArgument(
          "min value (" + range.from() + ") is greater than max value (" + range.to() + ")");
    }
  }

  private Range range(ObjectNode json) {
    JsonNode from = null;
    JsonNode to = null;
    boolean isFrom = true;
    boolean isTo = true;
    for (Map.Entry<String, JsonNode> end : json.properties()) {
      JsonNode value = RangeKind.present(end.getValue());
      switch (end.getKey()) {
        case "gt", "gte" -> {
          from = value;
          isFrom = end.getKey().equals("gte");
        }
        case "lt", "lte" -> {
          to = value;
          isTo = end.getKey().equals("lte");
        }
        default ->
            throw Refusal.badArgument(
                "error parsing field ["
                    + parameters.field()
                    + "], with unknown parameter ["
                    + end.getKey()
                    + "]");
      }
    }
    return new Range(from, isFrom, to, isTo, null, null);
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
  public JsonNode rebuilt(BytesRef term) {
    byte[] ends = Arrays.copyOfRange(term.bytes, term.offset, term.offset + term.length);
    ObjectNode range = Json.object();
    range.set("gte", Json.MAPPER.valueToTree(kind.shown(ends, 0, null)));
    range.set("lte", Json.MAPPER.valueToTree(kind.shown(ends, kind.bytes(), null)));
    return range;
  }

  @Override
  public ValuesKind values() {
    return hasDocValues ? ValuesKind.RANGE : ValuesKind.NONE;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    return new RangeFormat(kind, pattern, zone);
  }

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

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    if (!isIndexed) {
      throw QueryFaults.noQuery("Cannot search on field [" + field + "] since it is not indexed.");
    }
    byte[] ends = new byte[2 * kind.bytes()];
    try {
      return kind.read(range, true, nowMillis, ends)
          ? kind.query(field, ends, range.relation())
          : new MatchNoDocsQuery("empty range");
    } catch (Refusal e) {
      throw QueryFaults.noQuery(e);
    }
  }

  @Override
  public Query existsQuery(String field) {
    return hasDocValues ? new FieldExistsQuery(field) : FieldNames.exists(field);
  }
}
