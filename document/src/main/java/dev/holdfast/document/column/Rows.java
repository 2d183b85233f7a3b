package dev.holdfast.document.column;

/// Row numbers of a column.
final class Rows {
  private Rows() {}

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
