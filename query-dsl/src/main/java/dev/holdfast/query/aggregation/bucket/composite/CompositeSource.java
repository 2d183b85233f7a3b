package dev.holdfast.query.aggregation.bucket.composite;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.date.Rounding;
import dev.holdfast.query.aggregation.bucket.geo.GeoCells;
import dev.holdfast.query.aggregation.bucket.geo.PointCells;
import dev.holdfast.query.aggregation.bucket.histogram.DateHistogram;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// One column of the keys of a `composite` aggregation.
///
/// @param interval of `histogram`; 0 for the other kinds
/// @param rounding of `date_histogram`; null for the other kinds
/// @param tiles of `geotile_grid`; null for the other kinds
/// @param hasMissing whether documents without a value have the key null
/// @param isNullFirst whether null comes before all keys
record CompositeSource(
    String name,
    FieldRequest field,
    double interval,
    @Nullable Rounding rounding,
    @Nullable PointCells tiles,
    boolean isAscending,
    boolean hasMissing,
    boolean isNullFirst) {
  private static final List<String> MISSING_ORDERS = List.of("first", "last", "default");

  /// @param node `{"name": {"terms": {…}}}`
  static CompositeSource parse(JsonNode node) {
    if (!node.isObject() || node.size() != 1) {
      throw malformed("expected one named source, found " + node);
    }
    Map.Entry<String, JsonNode> named = node.properties().iterator().next();
    if (!named.getValue().isObject() || named.getValue().size() != 1) {
      throw malformed("expected one kind of source in [" + named.getKey() + "]");
    }
    Map.Entry<String, JsonNode> kind = named.getValue().properties().iterator().next();
    JsonObject body = JsonObject.ofKinds(kind.getKey(), kind.getValue());
    FieldRequest field = FieldRequest.parse(body);
    if (field.missing() != null) {
      throw malformed("[" + kind.getKey() + "] unknown field [missing]");
    }
    double interval = 0;
    Rounding rounding = null;
    PointCells tiles = null;
    switch (kind.getKey()) {
      case "terms" -> {}
      case "histogram" -> {
        interval = body.doubleValue("interval", 0);
        if (!(interval > 0)) {
          throw Refusal.badArgument("[interval] must be greater than 0 for [histogram] source");
        }
        if (Double.isInfinite(interval)) {
          throw Refusal.badArgument("[interval] must be a finite number for [histogram] source");
        }
      }
      case "date_histogram" -> rounding = DateHistogram.rounding(body, field.zone());
      case "geotile_grid" -> tiles = PointCells.parse(body, GeoCells.GEOTILE);
      default -> throw malformed("invalid source type: " + kind.getKey());
    }
    boolean isAscending = isAscending(body.string("order", "asc"));
    boolean hasMissing = body.bool("missing_bucket", false);
    String missingOrder = body.string("missing_order", "default").toLowerCase(Locale.ROOT);
    if (!MISSING_ORDERS.contains(missingOrder)) {
      throw Refusal.badArgument(
          "[missing_order] must be one of " + MISSING_ORDERS + ", found [" + missingOrder + "]");
    }
    if (!hasMissing && !missingOrder.equals("default")) {
      throw Refusal.badArgument("missingOrder can only be set if missingBucket is true");
    }
    body.done();
    boolean isNullFirst =
        missingOrder.equals("default") ? isAscending : missingOrder.equals("first");
    return new CompositeSource(
        named.getKey(), field, interval, rounding, tiles, isAscending, hasMissing, isNullFirst);
  }

  private static boolean isAscending(String order) {
    return switch (order) {
      case "asc" -> true;
      case "desc" -> false;
      default -> throw Refusal.badArgument("unknown sort order [" + order + "]");
    };
  }

  private static Refusal malformed(String reason) {
    return new Refusal(ErrorType.PARSING, "[composite] " + reason);
  }

  int compare(@Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      int nullsFirst = Boolean.compare(a != null, b != null);
      return isNullFirst ? nullsFirst : -nullsFirst;
    }
    int ascending = Bucket.compareKeys(a, b);
    return isAscending ? ascending : -ascending;
  }

  /// Whether keys can be made of such values.
  boolean takes(ValuesKind kind) {
    if (tiles != null) {
      return kind == ValuesKind.GEO_POINT;
    }
    return kind.isNumeric() || (kind.hasOrdinals() && interval == 0 && rounding == null);
  }

  private static long millis(BoundField bound, long docValue) {
    return switch (bound.kind()) {
      case DATE_NANOS -> Math.floorDiv(docValue, 1_000_000);
      case DOUBLE, FLOAT, HALF_FLOAT, SCALED_FLOAT, UNSIGNED_LONG ->
          (long) bound.toDouble(docValue);
      default -> docValue;
    };
  }

  /// The key that a member of `after` stands for.
  @Nullable Object after(@Nullable JsonNode value, @Nullable BoundField bound, long nowMillis) {
    if (value == null || value.isNull()) {
      if (!hasMissing && bound != null) {
        throw Refusal.badArgument("invalid value, got [null]");
      }
      return null;
    }
    boolean isOther =
        value.isContainerNode()
            || (bound != null
                && (bound.kind().hasOrdinals()
                    ? !value.isTextual()
                    : value.isBoolean() && bound.kind() != ValuesKind.BOOLEAN));
    if (isOther) {
      throw Refusal.badArgument("invalid value, got [" + value + "]");
    }
    if (tiles != null) {
      return value.isIntegralNumber() ? value.longValue() : PointCells.tile(value.asText());
    }
    if (bound == null) {
      return value.isIntegralNumber()
          ? (Object) value.longValue()
          : value.isNumber() ? (Object) value.doubleValue() : new BytesRef(value.asText());
    }
    if (bound.kind().hasOrdinals()) {
      return bound.shown().format().toTerm(value);
    }
    if (bound.kind().isDate() && value.isTextual() && value.asText().startsWith("now")) {
      throw Refusal.badArgument("now() is not supported in [after] key");
    }
    if (rounding != null) {
      return value.isNumber()
          ? value.longValue()
          : millis(bound, bound.shown().format().toDocValue(value, false, nowMillis));
    }
    if (interval > 0 || bound.kind().isFloating()) {
      return number(value);
    }
    boolean isItsDocValue = value.isNumber() && bound.kind() != ValuesKind.UNSIGNED_LONG;
    return isItsDocValue
        ? value.longValue()
        : bound.shown().format().toDocValue(value, false, nowMillis);
  }

  private static double number(JsonNode value) {
    try {
      return Double.parseDouble(value.asText());
    } catch (NumberFormatException e) {
      throw Refusal.badArgument("invalid value, expected a number, got [" + value + "]");
    }
  }

  /// The key as the answer has it: Long, Double, Boolean or String.
  Object shown(Object key, DisplayFormat shown) {
    if (key instanceof BytesRef term) {
      return shown.format().toText(term);
    }
    if (key instanceof Long number) {
      if (tiles != null) {
        return tiles.text(number);
      }
      if (shown.kind() == ValuesKind.BOOLEAN) {
        return number != 0;
      }
      boolean isDate =
          shown.kind() == ValuesKind.DATE_MILLIS || shown.kind() == ValuesKind.DATE_NANOS;
      if (isDate && field.format() != null) {
        boolean isNanos = shown.kind() == ValuesKind.DATE_NANOS && rounding != null;
        return shown.format().toText(isNanos ? number * 1_000_000 : number);
      }
      if (shown.kind() == ValuesKind.UNSIGNED_LONG && rounding == null) {
        return new BigInteger(Long.toUnsignedString(number ^ Long.MIN_VALUE));
      }
    }
    return key;
  }
}
