package dev.holdfast.document.field.geo;

import dev.holdfast.world.Refusal;

/// How many characters a geohash needs for cells of about a given size.
public final class GeohashLevels {
  private static final double EQUATOR_METERS = 2 * Math.PI * 6_378_137.0;
  private static final double POLE_TO_POLE_METERS = Math.PI * 6_356_752.314245;
  private static final int LEVELS_MAX = 12;
  private static final int BITS_A_CHARACTER = 5;

  /// Bits of the last, partial character from which on both latitude and longitude need it.
  private static final int BITS_FOR_BOTH = 3;

  private GeohashLevels() {}

  /// @param distance a number with a unit, `1km`; meters without one
  /// @throws Refusal when cells would be smaller than geohashes get
  public static int of(String distance) {
    double meters = Distances.meters(distance);
    if (!(meters >= 0)) {
      throw Refusal.badArgument("precision is negative [" + distance + "]");
    }
    int levels = meters == 0 ? LEVELS_MAX : Math.max(1, levels(meters));
    if (levels > LEVELS_MAX) {
      throw Refusal.badArgument("precision too high [" + distance + "]");
    }
    return levels;
  }

  private static int levels(double meters) {
    double cellWidth = meters / (1 + POLE_TO_POLE_METERS / EQUATOR_METERS);
    double cells = Math.ceil(EQUATOR_METERS / cellWidth);
    int bits = (int) Math.ceil(Math.log(cells) / Math.log(2));
    int whole = bits / BITS_A_CHARACTER;
    int left = bits - whole * BITS_A_CHARACTER;
    return 2 * whole + (left > 0 ? 1 : 0) + (left > BITS_FOR_BOTH ? 1 : 0);
  }
}
