package dev.holdfast.api.search.tile;

import java.util.Arrays;
import java.util.List;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.geo.Line;
import org.apache.lucene.geo.Point;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/// Where a map writes the name of a geometry: inside its largest polygon, else halfway along its
/// longest line, else at its first point.
final class LabelPosition {
  private LabelPosition() {}

  /// @return null for no geometry
  static @Nullable Point of(List<LatLonGeometry> parts) {
    Polygon polygon = null;
    Line line = null;
    Point point = null;
    for (LatLonGeometry part : parts) {
      switch (part) {
        case Polygon one -> polygon = polygon == null || area(one) > area(polygon) ? one : polygon;
        case Line one -> line = line == null || length(one) > length(line) ? one : line;
        case Point one -> point = point == null ? one : point;
        default -> {}
      }
    }
    if (polygon != null) {
      return inside(polygon);
    }
    return line != null ? halfway(line, length(line) / 2) : point;
  }

  private static double area(Polygon polygon) {
    return Math.abs(sums(polygon)[0]);
  }

  private static double length(Line line) {
    double length = 0;
    for (int i = 1; i < line.numPoints(); i++) {
      length +=
          Math.hypot(line.getLat(i) - line.getLat(i - 1), line.getLon(i) - line.getLon(i - 1));
    }
    return length;
  }

  private static Point halfway(Line line, double half) {
    double left = half;
    for (int i = 1; i < line.numPoints(); i++) {
      double latitudes = line.getLat(i) - line.getLat(i - 1);
      double longitudes = line.getLon(i) - line.getLon(i - 1);
      double step = Math.hypot(latitudes, longitudes);
      if (step > 0 && step >= left) {
        double share = left / step;
        return new Point(
            line.getLat(i - 1) + share * latitudes, line.getLon(i - 1) + share * longitudes);
      }
      left -= step;
    }
    return new Point(line.getLat(0), line.getLon(0));
  }

  /// Twice the area of a shell, with its sign, and six times its first moments.
  private static double[] sums(Polygon polygon) {
    double[] sums = new double[3];
    for (int i = 1; i < polygon.numPoints(); i++) {
      double x0 = polygon.getPolyLon(i - 1);
      double y0 = polygon.getPolyLat(i - 1);
      double x1 = polygon.getPolyLon(i);
      double y1 = polygon.getPolyLat(i);
      double cross = x0 * y1 - x1 * y0;
      sums[0] += cross;
      sums[1] += (x0 + x1) * cross;
      sums[2] += (y0 + y1) * cross;
    }
    return sums;
  }

  /// The centroid where the polygon has it inside, else the middle of its widest part at the height
  /// of the centroid.
  private static Point inside(Polygon polygon) {
    double[] sums = sums(polygon);
    if (sums[0] == 0) {
      return new Point(polygon.getPolyLat(0), polygon.getPolyLon(0));
    }
    double longitude = sums[1] / (3 * sums[0]);
    double latitude = Math.clamp(sums[2] / (3 * sums[0]), polygon.minLat, polygon.maxLat);
    double[] crossings = crossings(polygon, latitude);
    double middle = Math.clamp(longitude, polygon.minLon, polygon.maxLon);
    double widest = 0;
    for (int i = 1; i < crossings.length; i += 2) {
      double from = crossings[i - 1];
      double to = crossings[i];
      if (longitude > from && longitude < to) {
        return new Point(latitude, longitude);
      }
      if (to - from > widest) {
        widest = to - from;
        middle = (from + to) / 2;
      }
    }
    return new Point(latitude, middle);
  }

  /// Where a parallel crosses the rings, from west to east.
  private static double[] crossings(Polygon polygon, double latitude) {
    double[] crossings = new double[0];
    for (int ring = 0; ring <= polygon.numHoles(); ring++) {
      Polygon each = ring == 0 ? polygon : polygon.getHoles()[ring - 1];
      for (int i = 1; i < each.numPoints(); i++) {
        double y0 = each.getPolyLat(i - 1);
        double y1 = each.getPolyLat(i);
        if (y0 > latitude != y1 > latitude) {
          double share = (latitude - y0) / (y1 - y0);
          double x0 = each.getPolyLon(i - 1);
          crossings = ArrayUtil.growExact(crossings, crossings.length + 1);
          crossings[crossings.length - 1] = x0 + share * (each.getPolyLon(i) - x0);
        }
      }
    }
    Arrays.sort(crossings);
    return crossings;
  }
}
