package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.util.OptionalLong;
import org.apache.lucene.util.NumericUtils;

/// Floating-point numbers of 16, 32 and 64 bits, rounded to the width when indexed.
enum FloatingKind implements NumberKind {
  DOUBLE("double", ValuesKind.DOUBLE, Long.BYTES) {
    @Override
    double round(double number) {
      return number;
    }

    @Override
    long sortable(double rounded) {
      return NumericUtils.doubleToSortableLong(rounded);
    }

    @Override
    public double toDouble(long docValue) {
      return NumericUtils.sortableLongToDouble(docValue);
    }
  },
  FLOAT("float", ValuesKind.FLOAT, Integer.BYTES) {
    @Override
    double round(double number) {
      return (float) number;
    }

    @Override
    long sortable(double rounded) {
      return NumericUtils.floatToSortableInt((float) rounded);
    }

    @Override
    public double toDouble(long docValue) {
      return NumericUtils.sortableIntToFloat((int) docValue);
    }
  },
  HALF_FLOAT("half_float", ValuesKind.HALF_FLOAT, Integer.BYTES) {
    @Override
    double round(double number) {
      return Float.float16ToFloat(Float.floatToFloat16((float) number));
    }

    @Override
    long sortable(double rounded) {
      return flipped(Float.floatToFloat16((float) rounded));
    }

    @Override
    public double toDouble(long docValue) {
      return Float.float16ToFloat(flipped((short) docValue));
    }

    private static short flipped(short bits) {
      return (short) (bits ^ ((bits >> 15) & 0x7fff));
    }
  };

  private final String type;
  private final ValuesKind values;
  private final int pointBytes;

  FloatingKind(String type, ValuesKind values, int pointBytes) {
    this.type = type;
    this.values = values;
    this.pointBytes = pointBytes;
  }

  abstract double round(double number);

  abstract long sortable(double rounded);

  @Override
  public ValuesKind valuesKind() {
    return values;
  }

  @Override
  public int pointBytes() {
    return pointBytes;
  }

  @Override
  public long read(JsonValue value, boolean coerces) {
    return sortable(finite(NumberKinds.floating(value, coerces)));
  }

  private double finite(double number) {
    double rounded = round(number);
    if (!Double.isFinite(rounded)) {
      throw Refusal.badArgument(
          "[" + type + "] supports only finite values, but got [" + rounded + "]");
    }
    return rounded;
  }

  @Override
  public OptionalLong exact(JsonNode value) {
    double rounded = round(QueryNumbers.floating(value, type));
    return Double.isInfinite(rounded) ? OptionalLong.empty() : OptionalLong.of(sortable(rounded));
  }

  @Override
  public OptionalLong lower(JsonNode value, boolean isInclusive) {
    double number = QueryNumbers.floating(value, type);
    double rounded = round(number);
    long least = sortable(rounded);
    // A query's double between two values of a narrower width rounds inward.
    boolean isBelow = this != FLOAT && rounded < number;
    return OptionalLong.of(isInclusive && !isBelow ? least : least + 1);
  }

  @Override
  public OptionalLong upper(JsonNode value, boolean isInclusive) {
    double number = QueryNumbers.floating(value, type);
    double rounded = round(number);
    long greatest = sortable(rounded);
    boolean isAbove = this != FLOAT && rounded > number;
    return OptionalLong.of(isInclusive && !isAbove ? greatest : greatest - 1);
  }

  @Override
  public Object toKey(long docValue) {
    return toDouble(docValue);
  }
}
