package dev.holdfast.query.aggregation.metric.geo;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Definition;
import java.io.IOException;

/// The middle of all points or shapes of a field.
public enum GeoCentroid implements PointMetric.Figure {
  FIGURE;

  public static Aggregation parse(Definition definition) {
    return new PointMetric(definition.label(), FieldRequest.parse(definition.body()), FIGURE);
  }

  @Override
  public Sum empty() {
    return new Mean();
  }

  @Override
  public Sum read(WireInput in) throws IOException {
    Mean mean = new Mean();
    mean.latitudes = Double.longBitsToDouble(in.readLong());
    mean.longitudes = Double.longBitsToDouble(in.readLong());
    mean.weight = Double.longBitsToDouble(in.readLong());
    mean.dimensions = in.readVInt();
    mean.count = in.readVLong();
    return mean;
  }

  @Override
  public String typeName() {
    return "geo_centroid";
  }

  /// Centroids by their weights: areas weigh by their size; lines by their length where there are
  /// no areas; points all the same where there are neither.
  private static final class Mean implements Sum {
    /// What is too small to measure weighs this.
    private static final double WEIGHT_MIN = 1e-20;

    private double latitudes;
    private double longitudes;
    private double weight;
    private int dimensions;
    private long count;

    @Override
    public void add(double latitude, double longitude) {
      add(latitude, longitude, 1, 0);
      count++;
    }

    private void add(double latitude, double longitude, double its, int itsDimensions) {
      if (itsDimensions > dimensions) {
        dimensions = itsDimensions;
        latitudes = 0;
        longitudes = 0;
        weight = 0;
      }
      if (itsDimensions == dimensions) {
        latitudes += its * latitude;
        longitudes += its * longitude;
        weight += its;
      }
    }

    @Override
    public void add(ShapeTriangles triangles, int from, int to) {
      for (int at = from; at < to; at++) {
        double aX = triangles.longitude(at, 0);
        double aY = triangles.latitude(at, 0);
        double bX = triangles.longitude(at, 1);
        double bY = triangles.latitude(at, 1);
        double cX = triangles.longitude(at, 2);
        double cY = triangles.latitude(at, 2);
        switch (triangles.type(at)) {
          case POINT -> add(aY, aX, 1, 0);
          case LINE -> {
            double length = Math.hypot(bX - aX, bY - aY);
            add((aY + bY) / 2, (aX + bX) / 2, Math.max(length, WEIGHT_MIN), 1);
          }
          case TRIANGLE -> {
            double area = Math.abs((bX - aX) * (cY - aY) - (cX - aX) * (bY - aY)) / 2;
            add((aY + bY + cY) / 3, (aX + bX + cX) / 3, Math.max(area, WEIGHT_MIN), 2);
          }
        }
      }
      count++;
    }

    @Override
    public void addAll(Sum other) {
      Mean right = (Mean) other;
      if (right.count > 0) {
        add(0, 0, 0, right.dimensions);
      }
      if (right.dimensions == dimensions) {
        latitudes += right.latitudes;
        longitudes += right.longitudes;
        weight += right.weight;
      }
      count += right.count;
    }

    @Override
    public void render(JsonGenerator out) throws IOException {
      if (count > 0) {
        GeoBox.writePoint("location", latitudes / weight, longitudes / weight, out);
      }
      out.writeNumberField("count", count);
    }

    @Override
    public double metric(String property) {
      return switch (property) {
        case "lat", "location.lat" -> latitudes / weight;
        case "lon", "location.lon" -> longitudes / weight;
        default -> count;
      };
    }

    @Override
    public void write(WireOutput out) throws IOException {
      out.writeLong(Double.doubleToRawLongBits(latitudes));
      out.writeLong(Double.doubleToRawLongBits(longitudes));
      out.writeLong(Double.doubleToRawLongBits(weight));
      out.writeVInt(dimensions);
      out.writeVLong(count);
    }
  }
}
