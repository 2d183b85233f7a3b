package dev.holdfast.query.aggregation.column;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.date.DateUnit;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.PlainFormat;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The field that a request names, with what it says about reading and showing its values.
///
/// @param kind the aggregation's kind, for messages
/// @param missing what documents without a value count as; null to leave them out
/// @param stated what the field holds where an index lacks it, as the request says; null where it
///   says nothing
public record FieldRequest(
    String kind,
    String field,
    @Nullable String format,
    @Nullable ZoneId zone,
    @Nullable JsonNode missing,
    @Nullable ValueSource stated) {
  /// What reading the field takes: a block of values and where they come from, the segment's reader
  /// of them with its own buffers.
  private static final long READING_BYTES = Collecting.BLOCK * 12L + (4 << 10);

  /// What scripts and fields that an index lacks may be said to hold; others know it.
  private static final Set<String> VALUE_TYPES =
      Set.of(
          "boolean", "byte", "date", "double", "float", "integer", "ip", "long", "number",
          "numeric", "short", "string");

  public FieldRequest(
      String kind,
      String field,
      @Nullable String format,
      @Nullable ZoneId zone,
      @Nullable JsonNode missing) {
    this(kind, field, format, zone, missing, null);
  }

  public static FieldRequest parse(JsonObject body) {
    String field = body.string("field");
    if (field == null) {
      throw Refusal.badArgument(
          body.has("script")
              ? "[" + body.context() + "] scripts are not supported"
              : "Required one of fields [field, script], but none were specified.");
    }
    JsonNode missing = body.take("missing");
    if (missing != null && missing.isContainerNode()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "["
              + body.context()
              + "] missing doesn't support values of type: "
              + JsonObject.token(missing));
    }
    String valueType = body.string("value_type");
    if (valueType != null && !VALUE_TYPES.contains(valueType)) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[" + body.context() + "] failed to parse field [value_type]",
          Refusal.badArgument("Unknown value type [" + valueType + "]"));
    }
    return new FieldRequest(
        body.context(),
        field,
        body.string("format"),
        zone(body),
        missing,
        valueType == null ? null : ValueSource.ofName(valueType));
  }

  /// A name or an offset; a number is an offset of so many hours.
  private static @Nullable ZoneId zone(JsonObject body) {
    JsonNode given = body.take("time_zone");
    if (given == null) {
      return null;
    }
    try {
      return given.isNumber()
          ? ZoneOffset.ofHours(given.intValue())
          : ZoneId.of(Objects.requireNonNull(body.string("time_zone")));
    } catch (DateTimeException e) {
      throw Refusal.badArgument("Invalid time zone [" + given.asText() + "]: " + e.getMessage());
    }
  }

  /// The field in one index.
  ///
  /// @param whenUnmapped how `missing` is read where the index lacks the field
  /// @return null when the index lacks it and nothing stands in
  public @Nullable BoundField bind(QueryContext context, ValuesKind whenUnmapped) {
    context.memory().add(READING_BYTES);
    FieldType type = context.type(field);
    String path = context.path(field);
    if (type == null) {
      checkStated();
      return missing == null ? null : standIn(missing, whenUnmapped, context.nowMillis());
    }
    if (type.isConstant()) {
      return constant(path, type, context.index());
    }
    ValuesKind values = type.values();
    if (values == ValuesKind.NONE) {
      throw noValues(type.typeName(), context.index());
    }
    ValueSource source = ValueSource.of(values);
    boolean isTaken = source == null || source.isTakenBy(kind);
    if (!isTaken || !type.summaries().isEmpty()) {
      throw unsupported(type.typeName());
    }
    DisplayFormat shown = DisplayFormat.of(type, format, zone);
    boolean isPoint = values == ValuesKind.GEO_POINT;
    if (missing == null || !(values.isNumeric() || values.hasOrdinals() || isPoint)) {
      return new BoundField(path, type.typeName(), values, shown, 0, null, false);
    }
    return values.hasOrdinals()
        ? new BoundField(
            path, type.typeName(), values, shown, 0, shown.format().toTerm(missing), true)
        : new BoundField(
            path,
            type.typeName(),
            values,
            shown,
            isPoint ? place(missing) : docValue(values, shown, missing, context.nowMillis()),
            null,
            true);
  }

  /// The doc value of the point that stands in for those that are missing: a text, as points are
  /// written in one.
  private static long place(JsonNode missing) {
    return GeoPoints.docValue(GeoPoints.of(TextNode.valueOf(missing.asText())));
  }

  private void checkStated() {
    if (stated != null && !stated.isTakenBy(kind)) {
      throw Refusal.badArgument(
          "unmapped field with value source type ["
              + stated.label()
              + "] is not supported for aggregation ["
              + kind
              + "]");
    }
  }

  /// No document holds the value, so that it stands in for what is missing everywhere.
  private BoundField constant(String path, FieldType type, String index) {
    boolean isIndex = path.equals(MetadataFields.INDEX);
    DisplayFormat shown =
        isIndex ? DisplayFormat.plain(PlainFormat.TERM) : DisplayFormat.of(type, format, zone);
    String value = isIndex ? index : type.constant();
    BytesRef term =
        value != null
            ? new BytesRef(value)
            : missing == null ? null : shown.format().toTerm(missing);
    return new BoundField(path, type.typeName(), ValuesKind.KEYWORD, shown, 0, term, term != null);
  }

  /// Numbers may stand in for booleans that are missing; for dates they are milliseconds, whatever
  /// their format.
  private static long docValue(
      ValuesKind values, DisplayFormat shown, JsonNode missing, long nowMillis) {
    if (missing.isNumber()) {
      switch (values) {
        case BOOLEAN, DATE_MILLIS -> {
          return missing.longValue();
        }
        case DATE_NANOS -> {
          return DateUnit.NANOS.ofMillis(missing.longValue());
        }
        default -> {}
      }
    }
    return shown.format().toDocValue(missing, false, nowMillis);
  }

  /// The field in one index; where the index lacks it, a date field without values stands in, so
  /// that dates of the request can be read.
  public BoundField bindDate(QueryContext context) {
    if (context.type(field) == null) {
      checkStated();
      FieldType date = StandIn.DATE;
      DisplayFormat shown = DisplayFormat.of(date, format, zone).asStandIn();
      return missing == null
          ? new BoundField(field, "date", ValuesKind.DATE_MILLIS, shown, 0, null, false)
          : new BoundField(
              field,
              "date",
              ValuesKind.DATE_MILLIS,
              shown,
              shown.format().toDocValue(missing, false, context.nowMillis()),
              null,
              true);
    }
    return Objects.requireNonNull(bind(context, ValuesKind.LONG));
  }

  /// The type of dates that no mapping speaks of.
  private static final class StandIn {
    static final FieldType DATE = date();

    private static FieldType date() {
      ObjectNode mapping = Json.object();
      mapping.putObject("properties").putObject("date").put("type", "date");
      MappedField date = new StandardMappings().create(mapping, new TreeMap<>()).field("date");
      return Objects.requireNonNull(date).type();
    }
  }

  /// Refuses a field whose values are not numbers.
  public @Nullable BoundField bindNumeric(QueryContext context) {
    BoundField bound = bind(context, ValuesKind.DOUBLE);
    if (bound != null && !bound.kind().isNumeric()) {
      throw unsupported(bound);
    }
    return bound;
  }

  public Refusal unsupported(BoundField bound) {
    return unsupported(bound.typeName());
  }

  private Refusal unsupported(String typeName) {
    return Refusal.badArgument(
        "Field ["
            + field
            + "] of type ["
            + typeName
            + "] is not supported for aggregation ["
            + kind
            + "]");
  }

  /// A metric of a field whose values are what several measurements come to.
  ///
  /// @return null when the field has single values
  /// @throws Refusal when it lacks the metric
  public @Nullable BoundField bindSummary(QueryContext context, String metric) {
    FieldType type = context.type(field);
    if (type == null || type.summaries().isEmpty()) {
      return null;
    }
    String lucene = type.summaryField(context.path(field), metric);
    if (lucene == null) {
      throw Refusal.badArgument(
          "Metric [" + metric + "] is not among the metrics of field [" + field + "]");
    }
    DisplayFormat shown = DisplayFormat.of(type, format, zone);
    if (missing == null) {
      return new BoundField(lucene, type.typeName(), type.values(), shown, 0, null, false);
    }
    long whenMissing = docValue(type.values(), shown, missing, context.nowMillis());
    return new BoundField(lucene, type.typeName(), type.values(), shown, whenMissing, null, true);
  }

  private BoundField standIn(JsonNode missing, ValuesKind whenUnmapped, long nowMillis) {
    if (whenUnmapped == ValuesKind.KEYWORD) {
      DisplayFormat shown = DisplayFormat.plain(PlainFormat.TERM);
      BytesRef term = new BytesRef(missing.asText());
      return new BoundField(field, "keyword", ValuesKind.KEYWORD, shown, 0, term, true);
    }
    if (whenUnmapped == ValuesKind.GEO_POINT) {
      DisplayFormat shown = DisplayFormat.PLAIN_DOUBLE;
      long value = place(missing);
      return new BoundField(field, "geo_point", whenUnmapped, shown, value, null, true);
    }
    PlainFormat plain = whenUnmapped == ValuesKind.LONG ? PlainFormat.LONG : PlainFormat.DOUBLE;
    ValuesKind kind = plain == PlainFormat.LONG ? ValuesKind.LONG : ValuesKind.DOUBLE;
    long value = plain.toDocValue(missing, false, nowMillis);
    return new BoundField(field, "double", kind, DisplayFormat.plain(plain), value, null, true);
  }

  private Refusal noValues(String typeName, String index) {
    if (typeName.equals("text")) {
      return Refusal.badArgument(
          "Fielddata is disabled on ["
              + field
              + "] in ["
              + index
              + "]. Text fields are not optimised for operations that require per-document field"
              + " data like aggregations and sorting, so these operations are disabled by default."
              + " Please use a keyword field instead. Alternatively, set fielddata=true on ["
              + field
              + "] in order to load field data by uninverting the inverted index. Note that this"
              + " can use significant memory.");
    }
    return Refusal.badArgument(
        "Can't load fielddata on ["
            + field
            + "] because fielddata is unsupported on fields of type ["
            + typeName
            + "]. Use doc values instead.");
  }
}
