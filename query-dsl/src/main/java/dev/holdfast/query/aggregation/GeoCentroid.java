package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/// The middle of all points of a field.
enum GeoCentroid implements PointMetric.Figure {
  FIGURE;

  static Aggregation parse(Definition definition) {
    return new PointMetric(definition.label(), FieldRequest.parse(definition.body()), FIGURE);
  }

  @Override
  public Sum empty() {
    return new Mean();
  }

  @Override
  public Sum read(DataInput in) throws IOException {
    Mean mean = new Mean();
    mean.latitudes = Double.longBitsToDouble(in.readLong());
    mean.longitudes = Double.longBitsToDouble(in.readLong());
    mean.count = in.readVLong();
    return mean;
  }

  @Override
  public String typeName() {
    return "geo_centroid";
  }

  private static final class Mean implements Sum {
    private double latitudes;
    private double longitudes;
    private long count;

    @Override
    public void add(double latitude, double longitude) {
      latitudes += latitude;
      longitudes += longitude;
      count++;
    }

    @Override
    public void addAll(Sum other) {
      Mean right = (Mean) other;
      latitudes += right.latitudes;
      longitudes += right.longitudes;
      count += right.count;
    }

    @Override
    public void render(JsonGenerator out) throws IOException {
      if (count > 0) {
        GeoBox.writePoint("location", latitudes / count, longitudes / count, out);
      }
      out.writeNumberField("count", count);
    }

    @Override
    public double metric(String property) {
      return switch (property) {
        case "lat", "location.lat" -> latitudes / count;
        case "lon", "location.lon" -> longitudes / count;
        default -> count;
      };
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeLong(Double.doubleToRawLongBits(latitudes));
      out.writeLong(Double.doubleToRawLongBits(longitudes));
      out.writeVLong(count);
    }
  }
}
