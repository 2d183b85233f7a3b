package dev.holdfast.script.value;

/// A point on the earth, in degrees.
public record GeoPoint(double lat, double lon) {
  private static final double EARTH_RADIUS_METERS = 6_371_008.7714;
  private static final double METERS_PER_DEGREE = 111_194.92664455873;
  private static final String GEOHASH_DIGITS = "0123456789bcdefghjkmnpqrstuvwxyz";

  public double getLat() {
    return lat;
  }

  public double getLon() {
    return lon;
  }

  /// Meters along the surface.
  public double arc(double toLat, double toLon) {
    double a = Math.toRadians(lat);
    double b = Math.toRadians(toLat);
    double h =
        Math.pow(Math.sin((b - a) / 2), 2)
            + Math.cos(a) * Math.cos(b) * Math.pow(Math.sin(Math.toRadians(toLon - lon) / 2), 2);
    return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h)));
  }

  /// Meters on a plane: near enough for short ways.
  public double plane(double toLat, double toLon) {
    double x = (toLon - lon) * Math.cos(Math.toRadians((lat + toLat) / 2));
    return Math.hypot(x, toLat - lat) * METERS_PER_DEGREE;
  }

  /// Meters along the surface to the south-west corner of the cell of a geohash.
  ///
  /// @throws IllegalArgumentException for what is no geohash
  public double toCell(String geohash) {
    double[] least = {-180, -90};
    double[] size = {360, 180};
    int bit = 0;
    for (int i = 0; i < geohash.length(); i++) {
      char c = geohash.charAt(i);
      int digit = GEOHASH_DIGITS.indexOf(c);
      if (digit < 0) {
        throw new IllegalArgumentException(
            "unsupported symbol [" + c + "] in geohash [" + geohash + "]");
      }
      for (int mask = 16; mask > 0; mask >>= 1) {
        int axis = bit++ % 2;
        size[axis] /= 2;
        least[axis] += (digit & mask) == 0 ? 0 : size[axis];
      }
    }
    return arc(least[1], least[0]);
  }

  @Override
  public String toString() {
    return lat + ", " + lon;
  }
}
