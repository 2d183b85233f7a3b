package dev.holdfast.script.value;

import java.io.IOException;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.function.LongFunction;

/// Points on the earth.
public final class PlacesOfField extends DocValuesOfField<GeoPoint> {
  private final Numbers source;
  private GeoPoint[] values = new GeoPoint[4];
  private final LongFunction<GeoPoint> meaning;

  public PlacesOfField(Numbers source, LongFunction<GeoPoint> meaning) {
    this.source = source;
    this.meaning = meaning;
  }

  @Override
  protected int read(int document) throws IOException {
    int count = source.count(document);
    if (count > values.length) {
      values = Arrays.copyOf(values, Math.max(count, 2 * values.length));
    }
    for (int i = 0; i < count; i++) {
      values[i] = meaning.apply(source.next());
    }
    return count;
  }

  /// Of points, the dimension of what they are: 0.
  public int getDimensionalType() {
    requireAny();
    return 0;
  }

  /// The middle of all points, each coordinate by itself.
  public GeoPoint getCentroid() {
    requireAny();
    return size() == 1
        ? values[0]
        : new GeoPoint(
            stream().mapToDouble(GeoPoint::lat).average().orElse(0),
            stream().mapToDouble(GeoPoint::lon).average().orElse(0));
  }

  /// What all points are within.
  public GeoBoundingBox getBoundingBox() {
    requireAny();
    DoubleSummaryStatistics lats = stream().mapToDouble(GeoPoint::lat).summaryStatistics();
    DoubleSummaryStatistics lons = stream().mapToDouble(GeoPoint::lon).summaryStatistics();
    return new GeoBoundingBox(
        new GeoPoint(lats.getMax(), lons.getMin()), new GeoPoint(lats.getMin(), lons.getMax()));
  }

  /// Meters from the first point to the south-west corner of a cell.
  public double geohashDistance(String cell) {
    return getValue().toCell(cell);
  }

  public double geohashDistanceWithDefault(String cell, double otherwise) {
    return isEmpty() ? otherwise : geohashDistance(cell);
  }

  @Override
  public GeoPoint get(int index) {
    requireIndex(index);
    return values[index];
  }

  /// The first value.
  public GeoPoint getValue() {
    requireAny();
    return values[0];
  }

  public double getLat() {
    return getValue().lat();
  }

  public double getLon() {
    return getValue().lon();
  }

  public double[] getLats() {
    return stream().mapToDouble(GeoPoint::lat).toArray();
  }

  public double[] getLons() {
    return stream().mapToDouble(GeoPoint::lon).toArray();
  }

  public double arcDistance(double lat, double lon) {
    return getValue().arc(lat, lon);
  }

  public double arcDistanceWithDefault(double lat, double lon, double otherwise) {
    return isEmpty() ? otherwise : arcDistance(lat, lon);
  }

  public double planeDistance(double lat, double lon) {
    return getValue().plane(lat, lon);
  }

  public double planeDistanceWithDefault(double lat, double lon, double otherwise) {
    return isEmpty() ? otherwise : planeDistance(lat, lon);
  }
}
