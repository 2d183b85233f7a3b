package dev.holdfast.document;

/// How a field's doc values lie in Lucene, and what their 64 bits mean. Always multi-valued: sorted
/// numeric or sorted set.
public enum ValuesKind {
  /// No doc values.
  NONE,
  /// Sorted numeric; the long itself (byte, short, integer, long).
  LONG,
  /// Sorted numeric; 0 or 1.
  BOOLEAN,
  /// Sorted numeric; milliseconds since the epoch, UTC.
  DATE_MILLIS,
  /// Sorted numeric; nanoseconds since the epoch, UTC.
  DATE_NANOS,
  /// Sorted numeric; `NumericUtils.doubleToSortableLong`.
  DOUBLE,
  /// Sorted numeric; `NumericUtils.floatToSortableInt`, widened.
  FLOAT,
  /// Sorted numeric; `HalfFloatPoint.halfFloatToSortableShort`, widened.
  HALF_FLOAT,
  /// Sorted numeric; value times scaling factor, rounded.
  SCALED_FLOAT,
  /// Sorted numeric; the unsigned long with its top bit flipped.
  UNSIGNED_LONG,
  /// Sorted set of UTF-8 terms.
  KEYWORD,
  /// Sorted set of 16-byte addresses (IPv4 mapped into IPv6).
  IP,
  /// Sorted numeric; Lucene's `LatLonDocValuesField` encoding.
  GEO_POINT,
  /// Sorted set of ranges: least and greatest value, as the points of the range field have them.
  RANGE,
  /// Binary.
  BINARY;

  public boolean isNumeric() {
    return switch (this) {
      case LONG,
          BOOLEAN,
          DATE_MILLIS,
          DATE_NANOS,
          DOUBLE,
          FLOAT,
          HALF_FLOAT,
          SCALED_FLOAT,
          UNSIGNED_LONG ->
          true;
      case NONE, KEYWORD, IP, GEO_POINT, RANGE, BINARY -> false;
    };
  }

  /// Sorted set: values have ordinals.
  public boolean hasOrdinals() {
    return this == KEYWORD || this == IP || this == RANGE;
  }

  public boolean isDate() {
    return this == DATE_MILLIS || this == DATE_NANOS;
  }

  public boolean isFloating() {
    return switch (this) {
      case DOUBLE, FLOAT, HALF_FLOAT, SCALED_FLOAT -> true;
      default -> false;
    };
  }
}
