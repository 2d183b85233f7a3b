package dev.holdfast.document.column;

import java.util.Arrays;

/// Row numbers of a column.
final class Rows {
  private Rows() {}

  /// The order of the first `count` rows: ascending, those of one row as they came.
  static int[] order(int[] rows, int count) {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = (long) rows[i] << 32 | i;
    }
    Arrays.sort(keys);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = (int) keys[i];
    }
    return order;
  }

  /// Whether rows `[0, batchRows)` have exactly one value each.
  static boolean isDense(int[] rows, int count, int batchRows) {
    if (count != batchRows) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (rows[i] != i) {
        return false;
      }
    }
    return true;
  }
}
