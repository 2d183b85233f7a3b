package dev.holdfast.document.date;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZonedDateTime;

/// Numbers since 1970: `epoch_millis` and `epoch_second`, with an optional fraction.
enum EpochForm implements DateForm {
  MILLIS(1000),
  SECONDS(1);

  private static final int DIGITS_MAX = 18;

  private final int unitsPerSecond;

  EpochForm(int unitsPerSecond) {
    this.unitsPerSecond = unitsPerSecond;
  }

  @Override
  public long parse(byte[] utf8, int offset, int length, Reading reading) {
    int end = offset + length;
    boolean isNegative = length > 0 && utf8[offset] == '-';
    int from = isNegative ? offset + 1 : offset;
    int to = Digits.end(utf8, from, end);
    if (to == from || to - from > DIGITS_MAX) {
      return NOT_A_DATE;
    }
    long number = 0;
    for (int i = from; i < to; i++) {
      number = number * 10 + utf8[i] - '0';
    }
    if (to == end && this == MILLIS && reading.unitsPerSecond() == 1000) {
      return isNegative ? -number : number;
    }
    int fraction = 0;
    if (to < end) {
      if (utf8[to] != '.' || to + 1 == end || end - to > 10) {
        return NOT_A_DATE;
      }
      if (Digits.end(utf8, to + 1, end) != end) {
        return NOT_A_DATE;
      }
      fraction = Digits.nanos(utf8, to + 1, end);
    } else if (reading.isRoundUp()) {
      fraction = isNegative ? 0 : Reading.NANOS_MAX;
    }
    return instant(isNegative, number, fraction, reading);
  }

  private long instant(boolean isNegative, long number, int fraction, Reading reading) {
    long seconds = number / unitsPerSecond;
    long nanos = (number % unitsPerSecond) * (1_000_000_000L / unitsPerSecond);
    nanos += fraction / unitsPerSecond;
    if (isNegative) {
      seconds = nanos > 0 ? -seconds - 1 : -seconds;
      nanos = nanos > 0 ? 1_000_000_000 - nanos : 0;
    }
    if (Math.abs(seconds) > Long.MAX_VALUE / 1000 - 1) {
      return NOT_A_DATE;
    }
    return reading.instant(seconds, (int) nanos);
  }

  @Override
  public String format(ZonedDateTime time) {
    Instant instant = time.toInstant();
    long whole = this == MILLIS ? instant.toEpochMilli() : instant.getEpochSecond();
    int nanos = instant.getNano() % (1_000_000_000 / (this == MILLIS ? 1000 : 1));
    if (nanos == 0) {
      return Long.toString(whole);
    }
    return BigDecimal.valueOf(nanos, this == MILLIS ? 6 : 9)
        .add(BigDecimal.valueOf(whole))
        .stripTrailingZeros()
        .toPlainString();
  }
}
