package dev.holdfast.query.aggregation.column;

import dev.holdfast.query.aggregation.kernel.Collecting;

/// The numbers that the doc values of a block stand for; its array is used again for the next one.
public final class NumberBlock {
  private final BoundField field;
  private double[] numbers = new double[Collecting.BLOCK];

  public NumberBlock(BoundField field) {
    this.field = field;
  }

  /// The numbers of what a column has read last; valid until the next call.
  public double[] decode(LongColumn column) {
    return decode(column.values, column.count);
  }

  /// The numbers of the first doc values of an array; valid until the next call.
  public double[] decode(long[] docValues, int count) {
    if (numbers.length < count) {
      numbers = new double[docValues.length];
    }
    field.toDoubles(docValues, count, numbers);
    return numbers;
  }
}
