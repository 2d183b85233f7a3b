package dev.holdfast.api.search.tile;

import org.apache.lucene.util.ArrayUtil;

/// Places in pixels of a tile, from its north-western corner eastwards and southwards. A place that
/// repeats the one before it is left out.
final class PixelPath {
  /// Places further out are drawn here: differences between two places fit into an int.
  private static final int PIXEL_MAX = 1 << 29;

  private int[] xs = new int[4];
  private int[] ys = new int[4];
  private int size;

  int size() {
    return size;
  }

  int x(int at) {
    return xs[at];
  }

  int y(int at) {
    return ys[at];
  }

  private static int pixel(double position) {
    return Math.clamp(Math.round(position), -PIXEL_MAX, PIXEL_MAX);
  }

  void add(double x, double y) {
    int column = pixel(x);
    int row = pixel(y);
    if (size > 0 && xs[size - 1] == column && ys[size - 1] == row) {
      return;
    }
    if (size > 1 && isBetween(column, row)) {
      size--; // the place before lies on the way to this one
    }
    xs = ArrayUtil.grow(xs, size + 1);
    ys = ArrayUtil.grow(ys, size + 1);
    xs[size] = column;
    ys[size++] = row;
  }

  /// Adds a place that is no part of a line.
  void addApart(double x, double y) {
    xs = ArrayUtil.grow(xs, size + 1);
    ys = ArrayUtil.grow(ys, size + 1);
    xs[size] = pixel(x);
    ys[size++] = pixel(y);
  }

  private boolean isBetween(int x, int y) {
    long dx = xs[size - 1] - (long) xs[size - 2];
    long dy = ys[size - 1] - (long) ys[size - 2];
    long nextX = x - (long) xs[size - 1];
    long nextY = y - (long) ys[size - 1];
    return dx * nextY == dy * nextX && dx * nextX + dy * nextY >= 0;
  }

  /// Drops the last place when it is the first one again.
  void open() {
    if (size > 1 && xs[size - 1] == xs[0] && ys[size - 1] == ys[0]) {
      size--;
    }
  }

  /// Twice the area that the ring encloses, by the surveyor's formula: positive when it turns
  /// clockwise as a map shows it.
  long doubleArea() {
    long area = 0;
    for (int i = 0; i < size; i++) {
      int next = i + 1 == size ? 0 : i + 1;
      area += (long) xs[i] * ys[next] - (long) xs[next] * ys[i];
    }
    return area;
  }

  void reverse() {
    for (int i = 0, j = size - 1; i < j; i++, j--) {
      int x = xs[i];
      xs[i] = xs[j];
      xs[j] = x;
      int y = ys[i];
      ys[i] = ys[j];
      ys[j] = y;
    }
  }
}
