package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.NumericFormat;
import dev.holdfast.world.Refusal;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Numbers as they are, or by a `DecimalFormat` pattern.
public final class NumberFormat implements NumericFormat {
  private final NumberKind kind;
  private final @Nullable DecimalFormat pattern;

  public NumberFormat(NumberKind kind, @Nullable String pattern) {
    this.kind = kind;
    try {
      this.pattern =
          pattern == null
              ? null
              : new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument("Invalid format: [" + pattern + "]: " + e.getMessage());
    }
  }

  /// Computed numbers by a pattern.
  ///
  /// @throws Refusal `illegal_argument_exception` for a pattern that is none
  public static NumberFormat ofDoubles(String pattern) {
    return new NumberFormat(NumberKinds.DOUBLE, pattern);
  }

  @Override
  public double toDouble(long docValue) {
    return kind.toDouble(docValue);
  }

  @Override
  public Object toKey(long docValue) {
    return kind.toKey(docValue);
  }

  @Override
  public String toText(long docValue) {
    Object key = kind.toKey(docValue);
    return pattern == null ? key.toString() : formatted(pattern, key);
  }

  @Override
  public String toText(double number) {
    return pattern == null ? Double.toString(number) : formatted(pattern, number);
  }

  /// Formats are shared by threads, `DecimalFormat` may not be.
  private static String formatted(DecimalFormat pattern, Object number) {
    return ((DecimalFormat) pattern.clone()).format(number);
  }

  @Override
  public long toDocValue(JsonNode value, boolean roundUp, long nowMillis) {
    OptionalLong exact = kind.exact(value);
    if (exact.isPresent()) {
      return exact.getAsLong();
    }
    // Between two values: the one on the side that is asked for.
    OptionalLong near = roundUp ? kind.upper(value, true) : kind.lower(value, true);
    return near.orElse(roundUp ? Long.MIN_VALUE : Long.MAX_VALUE);
  }

  @Override
  public boolean showsText() {
    return pattern != null;
  }
}
