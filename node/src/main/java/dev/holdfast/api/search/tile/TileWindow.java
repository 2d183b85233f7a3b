package dev.holdfast.api.search.tile;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.geo.Line;
import org.apache.lucene.geo.Point;
import org.apache.lucene.geo.Polygon;
import org.jspecify.annotations.Nullable;

/// What of the earth a tile shows, and how: geometries in, pixels out. Lines and polygons are cut
/// at the tile's sides, a buffer of pixels further out, so that a map does not draw the cuts.
///
/// @param extent pixels of a side
/// @param buffer pixels
record TileWindow(MapTile tile, int extent, int buffer) {
  private static final int RING_PLACES_MIN = 3;

  private double x(double longitude) {
    return tile.x(longitude) * extent;
  }

  private double y(double latitude) {
    return tile.y(latitude) * extent;
  }

  /// Those of the points that are in the tile.
  ///
  /// @return null when none is
  @Nullable TileFeature points(List<Point> points) {
    PixelPath inside = new PixelPath();
    for (Point point : points) {
      double x = x(point.getLon());
      double y = y(point.getLat());
      if (isInside(Math.round(x)) && isInside(Math.round(y))) {
        inside.addApart(x, y);
      }
    }
    return TileFeature.points(inside);
  }

  private boolean isInside(long pixel) {
    return pixel >= 0 && pixel <= extent;
  }

  /// @return null when the point is outside
  @Nullable TileFeature point(double latitude, double longitude) {
    return points(List.of(new Point(latitude, longitude)));
  }

  /// A whole box, also what of it is outside the tile.
  TileFeature box(double north, double west, double south, double east) {
    PixelPath ring = new PixelPath();
    ring.addApart(x(west), y(north));
    ring.addApart(x(east), y(north));
    ring.addApart(x(east), y(south));
    ring.addApart(x(west), y(south));
    return Objects.requireNonNull(TileFeature.polygons(List.of(ring)));
  }

  /// The features of a geometry: points, lines and polygons are one each.
  List<TileFeature> features(List<LatLonGeometry> parts) {
    List<Point> points = new ArrayList<>();
    List<PixelPath> lines = new ArrayList<>();
    List<PixelPath> rings = new ArrayList<>();
    for (LatLonGeometry part : parts) {
      switch (part) {
        case Point point -> points.add(point);
        case Line line -> addLine(line, lines);
        case Polygon polygon -> addPolygon(polygon, rings);
        default -> throw new IllegalArgumentException("unknown geometry " + part);
      }
    }
    List<TileFeature> features = new ArrayList<>();
    addTo(features, points(points));
    addTo(features, TileFeature.lines(lines));
    addTo(features, TileFeature.polygons(rings));
    return features;
  }

  private static void addTo(List<TileFeature> features, @Nullable TileFeature feature) {
    if (feature != null) {
      features.add(feature);
    }
  }

  private static double[] pixels(double[] degrees, DoubleUnaryOperator axis) {
    double[] pixels = new double[degrees.length];
    for (int i = 0; i < degrees.length; i++) {
      pixels[i] = axis.applyAsDouble(degrees[i]);
    }
    return pixels;
  }

  private TileClip clip() {
    return new TileClip(-buffer, extent + buffer);
  }

  private void addLine(Line line, List<PixelPath> to) {
    double[] xs = pixels(line.getLons(), this::x);
    double[] ys = pixels(line.getLats(), this::y);
    for (PixelPath path : clip().line(xs, ys)) {
      if (path.size() > 1) {
        to.add(path);
      }
    }
  }

  /// Adds the shell and the holes, where they have an area at this zoom.
  private void addPolygon(Polygon polygon, List<PixelPath> to) {
    PixelPath shell = ring(polygon);
    if (shell == null) {
      return;
    }
    to.add(turned(shell, true));
    for (Polygon hole : polygon.getHoles()) {
      PixelPath ring = ring(hole);
      if (ring != null) {
        to.add(turned(ring, false));
      }
    }
  }

  private @Nullable PixelPath ring(Polygon polygon) {
    double[] xs = pixels(polygon.getPolyLons(), this::x);
    double[] ys = pixels(polygon.getPolyLats(), this::y);
    PixelPath ring = clip().ring(xs, ys);
    return ring.size() < RING_PLACES_MIN || ring.doubleArea() == 0 ? null : ring;
  }

  private static PixelPath turned(PixelPath ring, boolean isClockwise) {
    if (ring.doubleArea() > 0 != isClockwise) {
      ring.reverse();
    }
    return ring;
  }
}
