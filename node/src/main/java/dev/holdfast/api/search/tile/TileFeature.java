package dev.holdfast.api.search.tile;

import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// A geometry as a vector tile draws it: a pen that moves over pixels by commands, from where the
/// last one left it. Source: Mapbox Vector Tile Specification 2.1, chapter 4.3.
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record TileFeature(Kind kind, int[] commands) {
  private static final int MOVE_TO = 1;
  private static final int LINE_TO = 2;
  private static final int CLOSE_PATH = 7;

  /// The kinds of geometry, by the specification's numbers.
  enum Kind {
    POINT(1),
    LINE(2),
    POLYGON(3);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }
  }

  /// @return null for no points
  static @Nullable TileFeature points(PixelPath points) {
    if (points.size() == 0) {
      return null;
    }
    Pen pen = new Pen();
    pen.path(MOVE_TO, points, 0, points.size());
    return pen.feature(Kind.POINT);
  }

  /// @param lines of at least two places each
  /// @return null for no lines
  static @Nullable TileFeature lines(List<PixelPath> lines) {
    Pen pen = new Pen();
    for (PixelPath line : lines) {
      pen.path(MOVE_TO, line, 0, 1);
      pen.path(LINE_TO, line, 1, line.size());
    }
    return lines.isEmpty() ? null : pen.feature(Kind.LINE);
  }

  /// @param rings not closed, turned as the specification says: shells one way, their holes after
  ///   them the other way
  /// @return null for no rings
  static @Nullable TileFeature polygons(List<PixelPath> rings) {
    Pen pen = new Pen();
    for (PixelPath ring : rings) {
      pen.path(MOVE_TO, ring, 0, 1);
      pen.path(LINE_TO, ring, 1, ring.size());
      pen.command(CLOSE_PATH, 1);
    }
    return rings.isEmpty() ? null : pen.feature(Kind.POLYGON);
  }

  private static final class Pen {
    private int[] commands = new int[16];
    private int size;
    private int x;
    private int y;

    void path(int command, PixelPath path, int from, int to) {
      command(command, to - from);
      for (int i = from; i < to; i++) {
        add(zigzag(path.x(i) - x));
        add(zigzag(path.y(i) - y));
        x = path.x(i);
        y = path.y(i);
      }
    }

    void command(int command, int count) {
      add(count << 3 | command);
    }

    private static int zigzag(int value) {
      return (value << 1) ^ (value >> 31);
    }

    private void add(int value) {
      commands = ArrayUtil.grow(commands, size + 1);
      commands[size++] = value;
    }

    TileFeature feature(Kind kind) {
      return new TileFeature(kind, ArrayUtil.copyOfSubArray(commands, 0, size));
    }
  }
}
