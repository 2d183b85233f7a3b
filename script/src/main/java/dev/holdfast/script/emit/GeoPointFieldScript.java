package dev.holdfast.script.emit;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.Map;

/// Emits points on the earth, in degrees.
public abstract class GeoPointFieldScript extends EmitScript {
  public static final Shape SHAPE = shape("geo_point_field", GeoPointFieldScript.class);

  protected GeoPointFieldScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public final void emit(double lat, double lon) {
    requireFew(size() / 2);
    add(Double.doubleToLongBits(lat));
    add(Double.doubleToLongBits(lon));
  }
}
