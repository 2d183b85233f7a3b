package dev.holdfast.script.context;

import dev.holdfast.script.value.GeoPoint;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Locale;

/// How a score falls with the distance from an origin.
enum Decay {
  LINEAR {
    @Override
    double at(double distance, double scale, double decay) {
      double reach = scale / (1 - decay);
      return Math.max(0, (reach - distance) / reach);
    }
  },
  EXP {
    @Override
    double at(double distance, double scale, double decay) {
      return Math.exp(Math.log(decay) / scale * distance);
    }
  },
  GAUSS {
    @Override
    double at(double distance, double scale, double decay) {
      return Math.exp(0.5 * distance * distance / (0.5 * scale * scale / Math.log(decay)));
    }
  };

  abstract double at(double distance, double scale, double decay);

  double of(double distance, double scale, double offset, double decay) {
    return at(Math.max(0, distance - offset), scale, decay);
  }

  double ofPlaces(String origin, String scale, String offset, double decay, GeoPoint value) {
    String[] parts = origin.split(",", -1);
    double lat = Double.parseDouble(parts[0].strip());
    double lon = Double.parseDouble(parts[1].strip());
    return of(value.arc(lat, lon), meters(scale), meters(offset), decay);
  }

  private static double meters(String distance) {
    String text = distance.strip().toLowerCase(Locale.ROOT);
    int unit = text.length();
    while (unit > 0 && Character.isLetter(text.charAt(unit - 1))) {
      unit--;
    }
    double number = Double.parseDouble(text.substring(0, unit).strip());
    return number
        * switch (text.substring(unit)) {
          case "", "m", "meters" -> 1;
          case "km", "kilometers" -> 1_000;
          case "cm" -> 0.01;
          case "mm" -> 0.001;
          case "mi", "miles" -> 1_609.344;
          case "yd", "yards" -> 0.9144;
          case "ft", "feet" -> 0.3048;
          case "in", "inch" -> 0.0254;
          case "nmi", "nm", "nauticalmiles" -> 1_852;
          default ->
              throw new IllegalArgumentException("unknown unit of distance [" + distance + "]");
        };
  }

  double ofDates(String origin, String scale, String offset, double decay, ZonedDateTime value) {
    double distance = Math.abs((double) value.toInstant().toEpochMilli() - millis(origin));
    return of(distance, span(scale), span(offset), decay);
  }

  private static long millis(String origin) {
    if (origin.length() <= 10) {
      return LocalDate.parse(origin).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }
    boolean hasZone =
        origin.endsWith("Z") || origin.indexOf('+', 10) > 0 || origin.indexOf('-', 10) > 0;
    return OffsetDateTime.parse(hasZone ? origin : origin + "Z").toInstant().toEpochMilli();
  }

  private static double span(String text) {
    String span = text.strip();
    int unit = span.length();
    while (unit > 0 && Character.isLetter(span.charAt(unit - 1))) {
      unit--;
    }
    double number = Double.parseDouble(span.substring(0, unit).strip());
    return number
        * switch (span.substring(unit)) {
          case "d" -> 86_400_000;
          case "h" -> 3_600_000;
          case "m" -> 60_000;
          case "s" -> 1_000;
          case "", "ms" -> 1;
          default ->
              throw new IllegalArgumentException("failed to parse [" + text + "] as a time value");
        };
  }
}
