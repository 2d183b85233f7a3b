package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.OptionalLong;

/// Whole numbers of 8 to 64 bits; unsigned ones have their top bit flipped so that they sort.
///
/// @param article the kind as messages name it: `a byte`
/// @param javaName Jackson's word for it, for messages: `Integer`
record WholeKind(
    String article,
    String javaName,
    BigDecimal least,
    BigDecimal greatest,
    int pointBytes,
    boolean isUnsigned)
    implements NumberKind {
  private static final int SAFE_DIGITS = 18;
  private static final double MAGNITUDE_MAX = 1e20;

  static WholeKind signed(String article, String javaName, long least, long greatest, int bytes) {
    return new WholeKind(
        article, javaName, BigDecimal.valueOf(least), BigDecimal.valueOf(greatest), bytes, false);
  }

  static WholeKind unsigned(String article) {
    BigDecimal greatest = new BigDecimal(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
    return new WholeKind(article, "Long", BigDecimal.ZERO, greatest, Long.BYTES, true);
  }

  @Override
  public ValuesKind valuesKind() {
    return isUnsigned ? ValuesKind.UNSIGNED_LONG : ValuesKind.LONG;
  }

  @Override
  public long read(JsonValue value, boolean coerces) {
    switch (value.kind()) {
      case NUMBER -> {
        return value.isLong() ? inRange(value.longValue()) : fraction(value, coerces);
      }
      case STRING -> {
        if (!coerces) {
          throw Refusal.badArgument(javaName + " value passed as String");
        }
        return fromText(value);
      }
      default -> throw NumberKinds.notNumeric(value);
    }
  }

  private long inRange(long number) {
    if (isUnsigned ? number < 0 : number < least.longValue() || number > greatest.longValue()) {
      throw outOfRange(Long.toString(number));
    }
    return isUnsigned ? number ^ Long.MIN_VALUE : number;
  }

  private Refusal outOfRange(String number) {
    return Refusal.badArgument("Value [" + number + "] is out of range for " + article);
  }

  private long fraction(JsonValue value, boolean coerces) {
    // A huge exponent would make a huge BigInteger: look at the magnitude first.
    if (Math.abs(value.doubleValue()) > MAGNITUDE_MAX) {
      throw outOfRange(value.text());
    }
    return whole(decimal(value), coerces);
  }

  private BigDecimal decimal(JsonValue value) {
    try {
      return pointBytes == Long.BYTES
          ? DecimalNumbers.of(value.text())
          : DecimalNumbers.narrow(value.text());
    } catch (NumberFormatException e) {
      throw article.equals("a long")
          ? Refusal.badArgument("For input string: \"" + value.text() + "\"")
          : QueryFaults.notANumber(value.text());
    }
  }

  private long whole(BigDecimal number, boolean coerces) {
    BigDecimal cut = number.setScale(0, RoundingMode.DOWN);
    if (!coerces && cut.compareTo(number) != 0) {
      throw Refusal.badArgument(
          number.toPlainString() + " cannot be converted to " + javaName + " without data loss");
    }
    if (cut.compareTo(least) < 0 || cut.compareTo(greatest) > 0) {
      throw outOfRange(number.toPlainString());
    }
    return docValue(cut);
  }

  private long docValue(BigDecimal whole) {
    long bits = whole.toBigInteger().longValue();
    return isUnsigned ? bits ^ Long.MIN_VALUE : bits;
  }

  private long fromText(JsonValue value) {
    byte[] bytes = value.bytes();
    int at = value.offset();
    int end = at + value.length();
    boolean isNegative = at < end && bytes[at] == '-';
    int digits = isNegative ? at + 1 : at;
    if (end > digits && end - digits <= SAFE_DIGITS) {
      long number = 0;
      int p = digits;
      for (; p < end && bytes[p] >= '0' && bytes[p] <= '9'; p++) {
        number = number * 10 + bytes[p] - '0';
      }
      if (p == end) {
        return inRange(isNegative ? -number : number);
      }
    }
    BigDecimal number = decimal(value);
    if (Math.abs(number.doubleValue()) > MAGNITUDE_MAX) {
      throw outOfRange(value.text());
    }
    return whole(number, true);
  }

  @Override
  public OptionalLong exact(JsonNode value) {
    if (value.isIntegralNumber() && value.canConvertToLong() && !isUnsigned) {
      long number = value.longValue();
      return number < least.longValue() || number > greatest.longValue()
          ? OptionalLong.empty()
          : OptionalLong.of(number);
    }
    BigDecimal number = QueryNumbers.decimal(value);
    if (isOutside(number) || number.stripTrailingZeros().scale() > 0) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(docValue(number));
  }

  private boolean isOutside(BigDecimal number) {
    return number.compareTo(least) < 0 || number.compareTo(greatest) > 0;
  }

  @Override
  public OptionalLong lower(JsonNode value, boolean isInclusive) {
    BigDecimal from = QueryNumbers.decimal(value);
    if (from.compareTo(least) < 0) {
      return OptionalLong.of(docValue(least));
    }
    if (from.compareTo(greatest) > 0) {
      return OptionalLong.empty();
    }
    BigDecimal up = from.setScale(0, RoundingMode.CEILING);
    if (!isInclusive && up.compareTo(from) == 0) {
      up = up.add(BigDecimal.ONE);
    }
    return isOutside(up) ? OptionalLong.empty() : OptionalLong.of(docValue(up));
  }

  @Override
  public OptionalLong upper(JsonNode value, boolean isInclusive) {
    BigDecimal to = QueryNumbers.decimal(value);
    if (to.compareTo(greatest) > 0) {
      return OptionalLong.of(docValue(greatest));
    }
    if (to.compareTo(least) < 0) {
      return OptionalLong.empty();
    }
    BigDecimal down = to.setScale(0, RoundingMode.FLOOR);
    if (!isInclusive && down.compareTo(to) == 0) {
      down = down.subtract(BigDecimal.ONE);
    }
    return isOutside(down) ? OptionalLong.empty() : OptionalLong.of(docValue(down));
  }

  @Override
  public double toDouble(long docValue) {
    if (!isUnsigned) {
      return docValue;
    }
    return toKey(docValue) instanceof BigInteger big
        ? big.doubleValue()
        : docValue ^ Long.MIN_VALUE;
  }

  /// Long; BigInteger for unsigned values past the longs.
  @Override
  public Object toKey(long docValue) {
    if (!isUnsigned) {
      return docValue;
    }
    long bits = docValue ^ Long.MIN_VALUE;
    return bits >= 0 ? (Object) bits : new BigInteger(Long.toUnsignedString(bits));
  }
}
