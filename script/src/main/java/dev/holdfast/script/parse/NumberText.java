package dev.holdfast.script.parse;

import java.util.Locale;

/// NumberText as they are written: `10`, `0x1f`, `017`, `5L`, `1.5f`.
final class NumberText {
  private NumberText() {}

  static Tree.Expression literal(Word token, boolean isNegative) {
    String text = (isNegative ? "-" : "") + token.text().toLowerCase(Locale.ROOT);
    try {
      return new Tree.Literal(
          token.at(),
          token.kind() == Word.Kind.DECIMAL ? (Object) decimal(text) : whole(text, isNegative));
    } catch (NumberFormatException e) {
      throw new SyntaxFault(
          token.at(),
          "Invalid "
              + (token.kind() == Word.Kind.DECIMAL ? "double" : "int")
              + " constant ["
              + token.text()
              + "]"
              + (token.kind() == Word.Kind.DECIMAL
                  ? "."
                  : ". If you want a long constant then change it to [" + token.text() + "L]."));
    }
  }

  private static Number decimal(String text) {
    if (text.endsWith("f")) {
      float value = Float.parseFloat(text);
      if (Float.isInfinite(value)) {
        throw new NumberFormatException(text);
      }
      return value;
    }
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw new NumberFormatException(text);
    }
    return value;
  }

  private static Number whole(String text, boolean isNegative) {
    String digits = isNegative ? text.substring(1) : text;
    boolean isHex = digits.startsWith("0x");
    if (digits.endsWith("d") && !isHex) {
      return Double.parseDouble(text);
    }
    if (digits.endsWith("f") && !isHex) {
      return Float.parseFloat(text);
    }
    boolean isLong = digits.endsWith("l");
    String bare = isLong ? digits.substring(0, digits.length() - 1) : digits;
    int radix = isHex ? 16 : bare.length() > 1 && bare.startsWith("0") ? 8 : 10;
    String signed = (isNegative ? "-" : "") + (isHex ? bare.substring(2) : bare);
    return isLong ? (Number) Long.parseLong(signed, radix) : Integer.parseInt(signed, radix);
  }
}
