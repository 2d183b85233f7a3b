package dev.holdfast.document.date;

/// Arithmetic that stays at the ends of all longs: the first and the last moment have buckets, too.
public final class Saturated {
  private Saturated() {}

  public static long plus(long a, long b) {
    long sum = a + b;
    boolean isWrapped = ((a ^ sum) & (b ^ sum)) < 0;
    return isWrapped ? end(a) : sum;
  }

  public static long minus(long a, long b) {
    long difference = a - b;
    boolean isWrapped = ((a ^ b) & (a ^ difference)) < 0;
    return isWrapped ? end(a) : difference;
  }

  public static long times(long a, long positive) {
    long product = a * positive;
    boolean isWrapped = Math.multiplyHigh(a, positive) != product >> 63;
    return isWrapped ? end(a) : product;
  }

  private static long end(long towards) {
    return towards < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }
}
