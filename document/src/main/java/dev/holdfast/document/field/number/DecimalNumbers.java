package dev.holdfast.document.field.number;

import java.math.BigDecimal;

/// Decimal numbers that are cut to whole ones. To take the fraction off `1e-600000000` Java makes
/// that power of ten first: a number of 250 MB, for which it multiplies for hours. So what is far
/// beyond all that fields hold, or next to nothing, becomes another number of its sign that is so,
/// too.
public final class DecimalNumbers {
  /// No number that a field holds is written with as many characters.
  private static final int CHARACTERS_MAX = 10_000;

  /// Places before and behind the point that are told apart.
  private static final int PLACES_MAX = 1_000;

  private DecimalNumbers() {}

  /// The number that a text says, or one that stands for it.
  ///
  /// @throws NumberFormatException when it says none, or one of very many characters
  public static BigDecimal of(String text) {
    if (text.length() > CHARACTERS_MAX) {
      throw new NumberFormatException(
          "a number is written with more than [" + CHARACTERS_MAX + "] characters");
    }
    return bounded(new BigDecimal(text));
  }

  /// The number that a text says to fields of 32 bits and less: doubles hold all of theirs, and the
  /// text is read as one. Spaces around it are no fault, digits of other scripts are.
  ///
  /// @throws NumberFormatException when it says none
  public static BigDecimal narrow(String text) {
    double number = Double.parseDouble(text);
    if (Double.isNaN(number)) {
      throw new NumberFormatException("not a number");
    }
    return Double.isInfinite(number) ? infinite(number < 0) : BigDecimal.valueOf(number);
  }

  /// One that is larger than all that fields hold, or less.
  static BigDecimal infinite(boolean isNegative) {
    return BigDecimal.valueOf(isNegative ? -1 : 1, -PLACES_MAX);
  }

  private static BigDecimal bounded(BigDecimal number) {
    int sign = number.signum();
    long places = (long) number.precision() - number.scale();
    if (sign == 0) {
      return BigDecimal.ZERO; // 0e-600000000 has as many places, too
    }
    if (places > PLACES_MAX) {
      return infinite(sign < 0);
    }
    return places < -PLACES_MAX ? BigDecimal.valueOf(sign, PLACES_MAX) : number;
  }
}
