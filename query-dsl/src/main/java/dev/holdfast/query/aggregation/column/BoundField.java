package dev.holdfast.query.aggregation.column;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.collect.PointInterval;
import java.io.IOException;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.sandbox.document.HalfFloatPoint;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// A field of one index, as an aggregation reads it.
///
/// @param missingValue doc value of documents without one, when `hasMissing` and numeric
/// @param missingTerm term of documents without one, when `hasMissing` and ordinal
public record BoundField(
    String field,
    String typeName,
    ValuesKind kind,
    DisplayFormat shown,
    long missingValue,
    @Nullable BytesRef missingTerm,
    boolean hasMissing) {

  /// The smallest and largest doc value of a reader; deleted documents may widen it.
  public record Span(long min, long max) {
    static final Span NONE = new Span(Long.MAX_VALUE, Long.MIN_VALUE);

    public boolean isEmpty() {
      return min > max;
    }

    Span with(Span other) {
      return new Span(Math.min(min, other.min), Math.max(max, other.max));
    }
  }

  public double toDouble(long docValue) {
    return shown.format().toDouble(docValue);
  }

  /// The smallest doc value that means a number.
  public long valueMin() {
    return switch (kind) {
      case DOUBLE -> NumericUtils.doubleToSortableLong(Double.NEGATIVE_INFINITY);
      case FLOAT -> NumericUtils.floatToSortableInt(Float.NEGATIVE_INFINITY);
      case HALF_FLOAT -> HalfFloatPoint.halfFloatToSortableShort(Float.NEGATIVE_INFINITY);
      default -> Long.MIN_VALUE;
    };
  }

  /// The largest doc value that means a number.
  public long valueMax() {
    return switch (kind) {
      case DOUBLE -> NumericUtils.doubleToSortableLong(Double.POSITIVE_INFINITY);
      case FLOAT -> NumericUtils.floatToSortableInt(Float.POSITIVE_INFINITY);
      case HALF_FLOAT -> HalfFloatPoint.halfFloatToSortableShort(Float.POSITIVE_INFINITY);
      default -> Long.MAX_VALUE;
    };
  }

  /// The smallest doc value that means at least `number`; one past the largest has none, so it is
  /// [Long#MAX_VALUE]. Numbers grow with doc values in every kind.
  public long firstAtLeast(double number) {
    long low = valueMin();
    long high = valueMax();
    if (toDouble(high) < number) {
      return Long.MAX_VALUE;
    }
    while (low < high) {
      long middle = (low & high) + ((low ^ high) >> 1);
      if (toDouble(middle) >= number) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /// The numbers that doc values mean.
  public void toDoubles(long[] values, int count, double[] numbers) {
    Decoding.toDoubles(kind, shown.format(), values, count, numbers);
  }

  /// @return null when some segment can't say
  public @Nullable Span span(IndexReader reader) throws IOException {
    Span span = hasMissing ? new Span(missingValue, missingValue) : Span.NONE;
    for (LeafReaderContext segment : reader.leaves()) {
      Span one = span(segment.reader());
      if (one == null) {
        return null;
      }
      span = span.with(one);
    }
    return span;
  }

  /// @return null when the segment can't say
  @Nullable Span span(LeafReader reader) throws IOException {
    if (reader.getFieldInfos().fieldInfo(field) == null) {
      return Span.NONE;
    }
    DocValuesSkipper skipper = reader.getDocValuesSkipper(field);
    if (skipper != null) {
      return new Span(skipper.minValue(), skipper.maxValue());
    }
    PointValues points = points(reader);
    return points == null
        ? null
        : new Span(
            PointCounts.decode(points.getMinPackedValue()),
            PointCounts.decode(points.getMaxPackedValue()));
  }

  /// Points whose order and bits are those of the doc values; null when there are none.
  public @Nullable PointValues points(LeafReader reader) throws IOException {
    int bytes =
        switch (kind) {
          case LONG, DATE_MILLIS, DATE_NANOS, DOUBLE, SCALED_FLOAT -> Long.BYTES;
          case FLOAT -> Integer.BYTES;
          case NONE, BOOLEAN, HALF_FLOAT, UNSIGNED_LONG, KEYWORD, IP, GEO_POINT, RANGE, BINARY -> 0;
        };
    PointValues points = bytes == 0 ? null : reader.getPointValues(field);
    if (points == null || points.getNumDimensions() != 1) {
      return null;
    }
    boolean isWhole = kind == ValuesKind.LONG && points.getBytesPerDimension() == Integer.BYTES;
    return isWhole || points.getBytesPerDimension() == bytes ? points : null;
  }

  /// Points of a segment without deletions where each document has at most one value.
  public @Nullable PointValues countablePoints(LeafReader reader) throws IOException {
    if (reader.getLiveDocs() != null || hasMissing) {
      return null;
    }
    PointValues points = points(reader);
    return points != null && points.size() == points.getDocCount() ? points : null;
  }

  /// The values that a rewritten query asks for, when it asks for values of this field and nothing
  /// else; null when it does not, or for all documents.
  public @Nullable PointInterval asked(Query rewritten, PointValues points) throws IOException {
    PointInterval interval = PointInterval.of(rewritten, field, points.getBytesPerDimension());
    return interval == null || interval.isWhole() ? null : interval;
  }
}
