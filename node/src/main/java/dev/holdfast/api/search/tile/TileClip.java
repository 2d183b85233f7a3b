package dev.holdfast.api.search.tile;

import java.util.ArrayList;
import java.util.List;

/// Cuts lines and rings at the sides of a square.
///
/// @param low the smallest coordinate inside, on both axes
/// @param high the largest
record TileClip(double low, double high) {
  private static final int SIDES = 4;

  /// The pieces of a line inside, by the algorithm of Liang and Barsky.
  List<PixelPath> line(double[] xs, double[] ys) {
    List<PixelPath> pieces = new ArrayList<>();
    PixelPath open = null;
    for (int i = 1; i < xs.length; i++) {
      double dx = xs[i] - xs[i - 1];
      double dy = ys[i] - ys[i - 1];
      double[] span = {0, 1};
      boolean isInside =
          narrow(-dx, xs[i - 1] - low, span)
              && narrow(dx, high - xs[i - 1], span)
              && narrow(-dy, ys[i - 1] - low, span)
              && narrow(dy, high - ys[i - 1], span);
      if (!isInside) {
        open = null;
        continue;
      }
      if (open == null || span[0] > 0) {
        open = new PixelPath();
        pieces.add(open);
        open.add(xs[i - 1] + span[0] * dx, ys[i - 1] + span[0] * dy);
      }
      open.add(xs[i - 1] + span[1] * dx, ys[i - 1] + span[1] * dy);
      if (span[1] < 1) {
        open = null;
      }
    }
    return pieces;
  }

  /// Narrows the span of a segment to what is on the inner side of one side of the square.
  ///
  /// @param speed how fast the segment moves outwards
  /// @param room how far its start is from the side
  /// @return false when nothing is left
  private static boolean narrow(double speed, double room, double[] span) {
    if (speed == 0) {
      return room >= 0;
    }
    double at = room / speed;
    if (speed < 0) {
      span[0] = Math.max(span[0], at);
    } else {
      span[1] = Math.min(span[1], at);
    }
    return span[0] <= span[1];
  }

  /// What of a closed ring is inside, not closed, by the algorithm of Sutherland and Hodgman: parts
  /// that the square separates stay joined along its sides.
  PixelPath ring(double[] xs, double[] ys) {
    Places places = new Places(xs, ys, Math.max(0, xs.length - 1));
    for (int side = 0; side < SIDES; side++) {
      places = cut(places, side);
    }
    PixelPath path = new PixelPath();
    for (int i = 0; i < places.size(); i++) {
      path.add(places.xs()[i], places.ys()[i]);
    }
    path.open();
    return path;
  }

  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  private record Places(double[] xs, double[] ys, int size) {}

  private Places cut(Places ring, int side) {
    double[] xs = new double[2 * ring.size()];
    double[] ys = new double[2 * ring.size()];
    int size = 0;
    for (int i = 0; i < ring.size(); i++) {
      int before = i == 0 ? ring.size() - 1 : i - 1;
      double room = room(ring, i, side);
      double roomBefore = room(ring, before, side);
      if (room >= 0 != roomBefore >= 0) {
        double share = roomBefore / (roomBefore - room);
        xs[size] = between(ring.xs()[before], ring.xs()[i], share);
        ys[size++] = between(ring.ys()[before], ring.ys()[i], share);
      }
      if (room >= 0) {
        xs[size] = ring.xs()[i];
        ys[size++] = ring.ys()[i];
      }
    }
    return new Places(xs, ys, size);
  }

  private static double between(double from, double to, double share) {
    return from + share * (to - from);
  }

  /// How far inside of a side a place is; negative outside.
  private double room(Places ring, int at, int side) {
    return switch (side) {
      case 0 -> ring.xs()[at] - low;
      case 1 -> high - ring.xs()[at];
      case 2 -> ring.ys()[at] - low;
      default -> high - ring.ys()[at];
    };
  }
}
