package dev.holdfast.document.column;

import java.util.Arrays;

/// Numbers by row, several a row where they come so. Rows mostly come in ascending order; those of
/// nested objects that are included elsewhere don't, and are sorted in the end. Grows, never
/// shrinks.
public final class LongRows {
  private int[] rows = new int[64];
  private long[] values = new long[64];
  private int count;
  private boolean isUnordered;

  public void add(int row, long value) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, 2 * count);
      values = Arrays.copyOf(values, 2 * count);
    }
    isUnordered |= count > 0 && rows[count - 1] > row;
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
    isUnordered = false;
  }

  /// Brings the rows into ascending order.
  void arrange() {
    if (!isUnordered) {
      return;
    }
    int[] order = Rows.order(rows, count);
    int[] oldRows = rows.clone();
    long[] oldValues = values.clone();
    for (int i = 0; i < count; i++) {
      rows[i] = oldRows[order[i]];
      values[i] = oldValues[order[i]];
    }
    isUnordered = false;
  }

  public int count() {
    return count;
  }

  public int row(int index) {
    return rows[index];
  }

  public long value(int index) {
    return values[index];
  }

  /// Replaces a value.
  public void set(int index, long value) {
    values[index] = value;
  }

  long[] values() {
    return values;
  }

  /// Call it before reading: it arranges.
  boolean isDense(int batchRows) {
    arrange();
    return Rows.isDense(rows, count, batchRows);
  }
}
