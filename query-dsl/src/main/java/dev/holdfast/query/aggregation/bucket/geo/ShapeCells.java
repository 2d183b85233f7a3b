package dev.holdfast.query.aggregation.bucket.geo;

import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.aggregation.metric.geo.GeoBox;
import dev.holdfast.query.aggregation.metric.geo.ShapeTriangles;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.index.LeafReader;

/// The cells of a grid that the shapes of a segment have a part in.
record ShapeCells(ShapeTriangles triangles, PointCells cells) {
  /// A shape that falls into more cells is refused.
  private static final int CELLS_MAX = 1 << 18;

  /// So many rows of cells are looked at for a shape, whether bounds let any of their cells count
  /// or not.
  private static final int ROWS_MAX = 1 << 18;

  /// Smaller than any cell, larger than what is lost when a place is computed.
  private static final double STEP = 1e-9;

  /// Beyond it, places belong to the first and the last row of tiles.
  private static final double TILE_LATITUDE_MAX = 85.0511;

  private static final int CORNERS = 3;

  static ShapeCells read(LeafReader reader, String field, PointCells cells) throws IOException {
    return new ShapeCells(ShapeTriangles.read(reader, field, cells.bounds()), cells);
  }

  void read(int doc, KeySet into) {
    int start = triangles.start(doc);
    int end = triangles.end(doc, start);
    int rows = 0;
    for (int at = start; at < end; at++) {
      switch (triangles.type(at)) {
        case POINT -> addPoint(at, into);
        case LINE, TRIANGLE -> rows = addCells(at, rows, into);
      }
    }
  }

  private void addPoint(int at, KeySet into) {
    long cell = cells.cell(triangles.latitude(at, 0), triangles.longitude(at, 0));
    if (cell != PointCells.OUTSIDE) {
      into.add(cell);
    }
  }

  /// Goes through the rows of cells that a line or triangle has a part in.
  ///
  /// @param before rows that were gone through for the same shape
  /// @return those and these
  private int addCells(int at, int before, KeySet into) {
    int rows = before;
    GeoBox box = triangles.box(at);
    GeoBox bounds = cells.bounds();
    if (bounds != null) {
      box = box.within(new GeoBox(bounds.top(), -180, bounds.bottom(), 180));
    }
    double latitude = box.top();
    double above;
    do {
      StopSignal.pollForCancelling();
      if (++rows > ROWS_MAX) {
        throw tooMany("has a part in more than [" + ROWS_MAX + "] rows of cells");
      }
      GeoBox row = cells.cells().box(cells.cells().cell(latitude, box.left(), cells.precision()));
      addRow(at, latitude, row, into);
      above = latitude;
      latitude = row.bottom() - STEP;
    } while (latitude >= box.bottom() && latitude < above);
    return rows;
  }

  /// Adds the cells of a row: all between the westernmost and the easternmost place that a line or
  /// triangle has in it, since neither has gaps.
  private void addRow(int at, double latitude, GeoBox row, KeySet into) {
    boolean isFirst = row.top() >= TILE_LATITUDE_MAX;
    boolean isLast = row.bottom() <= -TILE_LATITUDE_MAX;
    double north = isFirst ? 90 : row.top();
    double south = isLast ? -90 : row.bottom();
    double west = Double.POSITIVE_INFINITY;
    double east = Double.NEGATIVE_INFINITY;
    for (int corner = 0; corner < CORNERS; corner++) {
      int next = (corner + 1) % CORNERS;
      double x0 = triangles.longitude(at, corner);
      double y0 = triangles.latitude(at, corner);
      double x1 = triangles.longitude(at, next);
      double y1 = triangles.latitude(at, next);
      if (Math.max(y0, y1) < south || Math.min(y0, y1) > north) {
        continue;
      }
      double from =
          y0 == y1 ? x0 : x0 + (x1 - x0) * (Math.clamp(y0, south, north) - y0) / (y1 - y0);
      double to = y0 == y1 ? x1 : x0 + (x1 - x0) * (Math.clamp(y1, south, north) - y0) / (y1 - y0);
      west = Math.min(west, Math.min(from, to));
      east = Math.max(east, Math.max(from, to));
    }
    GeoBox bounds = cells.bounds();
    if (bounds == null) {
      addBetween(latitude, west, east, into);
    } else if (bounds.left() <= bounds.right()) {
      addBetween(latitude, Math.max(west, bounds.left()), Math.min(east, bounds.right()), into);
    } else {
      addBetween(latitude, west, Math.min(east, bounds.right()), into);
      addBetween(latitude, Math.max(west, bounds.left()), east, into);
    }
  }

  private void addBetween(double latitude, double west, double east, KeySet into) {
    GeoBox bounds = cells.bounds();
    for (double longitude = west; longitude <= east && longitude < 180; ) {
      long cell = cells.cells().cell(latitude, longitude, cells.precision());
      GeoBox box = cells.cells().box(cell);
      if (bounds == null || bounds.overlaps(box)) {
        into.add(cell);
        requireFew(into);
      }
      longitude = box.right() + STEP;
    }
  }

  private static void requireFew(KeySet cells) {
    if (cells.size() > CELLS_MAX) {
      throw tooMany("falls into more than [" + CELLS_MAX + "] cells");
    }
  }

  private static Refusal tooMany(String what) {
    return Refusal.badArgument(
        "a shape " + what + "; use a smaller [precision] or narrower [bounds]");
  }
}
