package dev.holdfast.document.field.geo;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;

/// Distances on earth as the requests write them: `12km`, `3 mi`, `200`.
public final class Distances {
  /// Longer names first, for names that end alike.
  private static final Map<String, Double> METERS = units();

  private Distances() {}

  private static Map<String, Double> units() {
    Map<String, Double> meters = new LinkedHashMap<>();
    meters.put("nauticalmiles", 1852.0);
    meters.put("kilometers", 1000.0);
    meters.put("centimeters", 0.01);
    meters.put("millimeters", 0.001);
    meters.put("meters", 1.0);
    meters.put("miles", 1609.344);
    meters.put("yards", 0.9144);
    meters.put("feet", 0.3048);
    meters.put("inch", 0.0254);
    meters.put("nmi", 1852.0);
    meters.put("NM", 1852.0);
    meters.put("km", 1000.0);
    meters.put("cm", 0.01);
    meters.put("mm", 0.001);
    meters.put("mi", 1609.344);
    meters.put("yd", 0.9144);
    meters.put("ft", 0.3048);
    meters.put("in", 0.0254);
    meters.put("m", 1.0);
    return meters;
  }

  public static double meters(String text) {
    return meters(text, "m");
  }

  /// @param unit of a number without one
  public static double meters(String text, String unit) {
    String number = text.strip();
    double factor = factor(unit);
    for (Map.Entry<String, Double> known : METERS.entrySet()) {
      if (number.endsWith(known.getKey())) {
        factor = known.getValue();
        number = number.substring(0, number.length() - known.getKey().length());
        break;
      }
    }
    try {
      return Double.parseDouble(number.strip()) * factor;
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + number + "\"", e);
    }
  }

  /// Meters of one unit.
  public static double factor(String unit) {
    Double factor = METERS.get(unit);
    if (factor == null) {
      throw Refusal.badArgument("No distance unit match [" + unit + "]");
    }
    return factor;
  }
}
