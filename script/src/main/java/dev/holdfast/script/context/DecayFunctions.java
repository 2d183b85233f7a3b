package dev.holdfast.script.context;

import dev.holdfast.script.value.GeoPoint;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Locale;

/// The decay functions of one script: numbers, places and instants. What of their arguments is the
/// same for each document is computed once. Of one thread.
final class DecayFunctions {
  /// Factors that are kept: more calls than these in one script are rare.
  private static final int KEPT = 4;

  private final Remembered<Double> lengths = new Remembered<>(DecayFunctions::meters);
  private final Remembered<Double> spans = new Remembered<>(DecayFunctions::span);
  private final Remembered<Long> instants = new Remembered<>(DecayFunctions::millis);
  private final Remembered<GeoPoint> places = new Remembered<>(DecayFunctions::place);
  private final Factor[] factors = new Factor[KEPT];
  private int next;

  private record Factor(Decay curve, double scale, double decay, double value) {
    boolean isOf(Decay wanted, double itsScale, double itsDecay) {
      return curve == wanted && scale == itsScale && decay == itsDecay;
    }
  }

  /// @param distance from the origin, not negative
  double of(Decay curve, double distance, double scale, double offset, double decay) {
    return curve.at(Math.max(0, distance - offset), factor(curve, scale, decay));
  }

  private double factor(Decay curve, double scale, double decay) {
    for (Factor factor : factors) {
      if (factor != null && factor.isOf(curve, scale, decay)) {
        return factor.value;
      }
    }
    Factor made = new Factor(curve, scale, decay, curve.factor(scale, decay));
    factors[next] = made;
    next = (next + 1) % KEPT;
    return made.value;
  }

  /// @param origin `latitude,longitude`
  double ofPlaces(
      Decay curve, String origin, String scale, String offset, double decay, GeoPoint value) {
    GeoPoint from = places.of(origin);
    double distance = value.arc(from.lat(), from.lon());
    return of(curve, distance, lengths.of(scale), lengths.of(offset), decay);
  }

  private static GeoPoint place(String origin) {
    String[] parts = origin.split(",", -1);
    return new GeoPoint(Double.parseDouble(parts[0].strip()), Double.parseDouble(parts[1].strip()));
  }

  private static double meters(String distance) {
    String text = distance.strip().toLowerCase(Locale.ROOT);
    int unit = unitOf(text);
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

  /// Where the letters at the end of a text begin.
  private static int unitOf(String text) {
    int unit = text.length();
    while (unit > 0 && Character.isLetter(text.charAt(unit - 1))) {
      unit--;
    }
    return unit;
  }

  double ofDates(
      Decay curve, String origin, String scale, String offset, double decay, ZonedDateTime value) {
    double distance = Math.abs((double) value.toInstant().toEpochMilli() - instants.of(origin));
    return of(curve, distance, spans.of(scale), spans.of(offset), decay);
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
    int unit = unitOf(span);
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
