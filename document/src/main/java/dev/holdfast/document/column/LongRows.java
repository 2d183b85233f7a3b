package dev.holdfast.document.column;

import java.util.Arrays;

/// Numbers by row, rows ascending, several a row where they come so. Grows, never shrinks.
public final class LongRows {
  private int[] rows = new int[64];
  private long[] values = new long[64];
  private int count;

  public void add(int row, long value) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, 2 * count);
      values = Arrays.copyOf(values, 2 * count);
    }
    rows[count] = row;
    values[count++] = value;
  }

  /// Forgets the values of `row` and later.
  public void truncate(int row) {
    while (count > 0 && rows[count - 1] >= row) {
      count--;
    }
  }

  public void clear() {
    count = 0;
  }

  public int count() {
    return count;
  }

  int row(int index) {
    return rows[index];
  }

  long value(int index) {
    return values[index];
  }

  long[] values() {
    return values;
  }

  boolean isDense(int batchRows) {
    return Rows.isDense(rows, count, batchRows);
  }
}
