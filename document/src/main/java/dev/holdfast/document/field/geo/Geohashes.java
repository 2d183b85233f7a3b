package dev.holdfast.document.field.geo;

/// Places as geohashes.
public final class Geohashes {
  private static final String ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz";
  private static final int BITS = 5;

  private Geohashes() {}

  /// @param length in characters
  public static String encode(double lat, double lon, int length) {
    double[] low = {-180, -90};
    double[] high = {180, 90};
    double[] place = {lon, lat};
    StringBuilder hash = new StringBuilder(length);
    int axis = 0;
    while (hash.length() < length) {
      int code = 0;
      for (int bit = 0; bit < BITS; bit++) {
        double middle = (low[axis] + high[axis]) / 2;
        boolean isUpper = place[axis] >= middle;
        code = code << 1 | (isUpper ? 1 : 0);
        if (isUpper) {
          low[axis] = middle;
        } else {
          high[axis] = middle;
        }
        axis = 1 - axis;
      }
      hash.append(ALPHABET.charAt(code));
    }
    return hash.toString();
  }
}
