package dev.holdfast.query.aggregation.metric.geo;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;

/// The smallest box that holds all points or shapes of a field.
///
/// @param wraps whether the box may cross the date line when it is narrower so
public record GeoBounds(boolean wraps) implements PointMetric.Figure {
  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    return new PointMetric(
        definition.label(),
        FieldRequest.parse(body),
        new GeoBounds(body.bool("wrap_longitude", true)));
  }

  @Override
  public Sum empty() {
    return new Box(wraps);
  }

  @Override
  public Sum read(WireInput in) throws IOException {
    Box box = new Box(wraps);
    box.top = Double.longBitsToDouble(in.readLong());
    box.bottom = Double.longBitsToDouble(in.readLong());
    box.eastLeft = Double.longBitsToDouble(in.readLong());
    box.eastRight = Double.longBitsToDouble(in.readLong());
    box.westLeft = Double.longBitsToDouble(in.readLong());
    box.westRight = Double.longBitsToDouble(in.readLong());
    return box;
  }

  @Override
  public String typeName() {
    return "geo_bounds";
  }

  /// Extremes, those of the eastern and the western half apart.
  private static final class Box implements Sum {
    private final boolean wraps;
    private double top = Double.NEGATIVE_INFINITY;
    private double bottom = Double.POSITIVE_INFINITY;
    private double eastLeft = Double.POSITIVE_INFINITY;
    private double eastRight = Double.NEGATIVE_INFINITY;
    private double westLeft = Double.POSITIVE_INFINITY;
    private double westRight = Double.NEGATIVE_INFINITY;

    Box(boolean wraps) {
      this.wraps = wraps;
    }

    @Override
    public void add(double latitude, double longitude) {
      top = Math.max(top, latitude);
      bottom = Math.min(bottom, latitude);
      if (longitude >= 0) {
        eastLeft = Math.min(eastLeft, longitude);
        eastRight = Math.max(eastRight, longitude);
      } else {
        westLeft = Math.min(westLeft, longitude);
        westRight = Math.max(westRight, longitude);
      }
    }

    @Override
    public void add(ShapeTriangles triangles, int from, int to) {
      GeoBox box = triangles.box(from);
      for (int at = from + 1; at < to; at++) {
        GeoBox next = triangles.box(at);
        box =
            new GeoBox(
                Math.max(box.top(), next.top()),
                Math.min(box.left(), next.left()),
                Math.min(box.bottom(), next.bottom()),
                Math.max(box.right(), next.right()));
      }
      add(box.top(), box.left());
      add(box.bottom(), box.right());
      if (box.left() < 0 && box.right() >= 0) {
        add(box.top(), 0); // it lies on both halves: no way round the date line is shorter
        westRight = Math.max(westRight, -Double.MIN_VALUE);
      }
    }

    @Override
    public void addAll(Sum other) {
      Box right = (Box) other;
      top = Math.max(top, right.top);
      bottom = Math.min(bottom, right.bottom);
      eastLeft = Math.min(eastLeft, right.eastLeft);
      eastRight = Math.max(eastRight, right.eastRight);
      westLeft = Math.min(westLeft, right.westLeft);
      westRight = Math.max(westRight, right.westRight);
    }

    private GeoBox box() {
      boolean hasEast = eastLeft <= eastRight;
      boolean hasWest = westLeft <= westRight;
      if (!hasWest) {
        return new GeoBox(top, eastLeft, bottom, eastRight);
      }
      if (!hasEast) {
        return new GeoBox(top, westLeft, bottom, westRight);
      }
      double plain = eastRight - westLeft;
      double wrapped = 360 - eastLeft + westRight;
      return wraps && wrapped < plain
          ? new GeoBox(top, eastLeft, bottom, westRight)
          : new GeoBox(top, westLeft, bottom, eastRight);
    }

    @Override
    public void render(JsonGenerator out) throws IOException {
      if (top >= bottom) {
        box().write(out);
      }
    }

    @Override
    public double metric(String property) {
      GeoBox box = box();
      return switch (property) {
        case "top", "bounds.top" -> box.top();
        case "left", "bounds.left" -> box.left();
        case "bottom", "bounds.bottom" -> box.bottom();
        case "right", "bounds.right" -> box.right();
        default ->
            throw Refusal.badArgument(
                "Found unknown path element [" + property + "] in [geo_bounds]");
      };
    }

    @Override
    public void write(WireOutput out) throws IOException {
      out.writeLong(Double.doubleToRawLongBits(top));
      out.writeLong(Double.doubleToRawLongBits(bottom));
      out.writeLong(Double.doubleToRawLongBits(eastLeft));
      out.writeLong(Double.doubleToRawLongBits(eastRight));
      out.writeLong(Double.doubleToRawLongBits(westLeft));
      out.writeLong(Double.doubleToRawLongBits(westRight));
    }
  }
}
