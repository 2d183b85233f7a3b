package dev.holdfast.query.aggregation.column;

import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import org.apache.lucene.util.NumericUtils;

/// Doc values to numbers and back, a block at a time: one loop a kind, so that each compiles to
/// straight code.
public final class Decoding {
  private Decoding() {}

  static void toDoubles(
      ValuesKind kind, ValueFormat format, long[] values, int count, double[] numbers) {
    switch (kind) {
      case LONG, BOOLEAN, DATE_MILLIS -> {
        for (int i = 0; i < count; i++) {
          numbers[i] = values[i];
        }
      }
      case DOUBLE -> {
        for (int i = 0; i < count; i++) {
          numbers[i] = NumericUtils.sortableLongToDouble(values[i]);
        }
      }
      case FLOAT -> {
        for (int i = 0; i < count; i++) {
          numbers[i] = NumericUtils.sortableIntToFloat((int) values[i]);
        }
      }
      case DATE_NANOS,
          HALF_FLOAT,
          SCALED_FLOAT,
          UNSIGNED_LONG,
          NONE,
          KEYWORD,
          IP,
          GEO_POINT,
          BINARY,
          RANGE -> {
        for (int i = 0; i < count; i++) {
          numbers[i] = format.toDouble(values[i]);
        }
      }
    }
  }

  /// Whether doc values are whole numbers as they are, so that they may be summed as longs.
  public static boolean isWhole(ValuesKind kind) {
    return switch (kind) {
      case LONG, BOOLEAN, DATE_MILLIS -> true;
      default -> false;
    };
  }
}
