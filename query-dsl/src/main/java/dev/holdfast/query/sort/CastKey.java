package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.world.Refusal;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// A sort by numbers that are cast to another kind, so that indices which map the field differently
/// are merged in one order.
record CastKey(
    SortField lucene,
    NumericCast cast,
    ValuesKind kind,
    ValueFormat format,
    boolean showsText,
    long missing)
    implements SortKey {
  /// @param objects nested objects that have the values; null when documents have
  static SortKey of(
      SortSpec spec,
      NumericCast cast,
      ValuesKind kind,
      ValueFormat format,
      @Nullable NestedChildren objects) {
    if (cast == NumericCast.DATE_NANOS && !kind.isDate()) {
      throw Refusal.badArgument(
          "trying to convert a known date time formatter to a nanosecond one, wrong field used?");
    }
    JsonNode value = spec.missingValue();
    long missing = value == null ? SortKeys.missingRaw(spec, false) : cast.missing(value);
    SortField field =
        ComputedKey.field(
            spec,
            missing,
            new ComputedKey.Computing(spec, kind, format, objects, bits -> cast.apply(kind, bits)));
    return new CastKey(field, cast, kind, format, spec.format() != null, missing);
  }

  private static boolean isEnd(long bits) {
    return bits == Long.MAX_VALUE || bits == Long.MIN_VALUE;
  }

  @Override
  public @Nullable Object mergeable(@Nullable Object value) {
    if (!(value instanceof Long bits)) {
      return null;
    }
    if (cast != NumericCast.DOUBLE) {
      return bits;
    }
    if (isEnd(bits)) {
      return bits > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }
    return NumericUtils.sortableLongToDouble(bits);
  }

  @Override
  public @Nullable Object resumed(@Nullable Object mergeable) {
    return switch (mergeable) {
      case Double number when number.isInfinite() -> number > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
      case Double number -> NumericUtils.doubleToSortableLong(number);
      case null -> missing;
      default -> mergeable;
    };
  }

  @Override
  public Object after(JsonNode shown, long nowMillis) {
    return switch (shown.asText()) {
      case "Infinity" -> Long.MAX_VALUE;
      case "-Infinity" -> Long.MIN_VALUE;
      default -> shown.isNull() ? missing : cast.read(shown, kind, format, nowMillis);
    };
  }

  @Override
  public @Nullable Object shown(@Nullable Object mergeable) {
    if (!showsText || !(mergeable instanceof Number number)) {
      return mergeable;
    }
    if (mergeable instanceof Long bits) {
      if (isEnd(bits)) {
        return kind.isDate() ? null : mergeable;
      }
      return kind.isFloating()
          ? format.toText((double) bits)
          : format.toText(cast.original(kind, bits));
    }
    return Double.isInfinite(number.doubleValue())
        ? mergeable
        : format.toText(number.doubleValue());
  }
}
