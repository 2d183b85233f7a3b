package dev.holdfast.document.date;

import static dev.holdfast.document.date.Digits.four;
import static dev.holdfast.document.date.Digits.two;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/// Dates in ISO 8601's extended format, `2020-02-29T12:30:15.123+01:00`, cut off where the shape
/// allows; read from bytes in one pass.
///
/// @param least the part that must be there
/// @param most the last part that may be there
/// @param lenient reads what this form does not (years beyond 9999, single digits), and writes
record IsoForm(int least, int most, Zone zone, DateForm lenient, boolean isStrict)
    implements DateForm {
  static final int YEAR = 1;
  static final int MONTH = 2;
  static final int DAY = 3;
  static final int TIME = 4;
  static final int HOUR = 5;
  static final int MINUTE = 6;
  static final int SECOND = 7;
  static final int FRACTION = 8;

  /// Whether a text names its zone.
  enum Zone {
    NEVER,
    MAYBE,
    ALWAYS
  }

  @Override
  public long parse(byte[] utf8, int offset, int length, Reading reading) {
    long instant = parseIso(utf8, offset, length, reading);
    if (instant != NOT_A_DATE || length == 0) {
      return instant;
    }
    byte first = utf8[offset];
    boolean isSigned = first == '-' || first == '+';
    return isSigned || (!isStrict && Digits.isDigit(first))
        ? lenient.parse(utf8, offset, length, reading)
        : NOT_A_DATE;
  }

  private long parseIso(byte[] utf8, int offset, int length, Reading reading) {
    int end = offset + length;
    if (length >= Timestamps.LENGTH && most == FRACTION) {
      long seconds = Timestamps.seconds(utf8, offset, (byte) 'T');
      if (seconds != NOT_A_DATE) {
        return parseEnd(seconds, utf8, offset + Timestamps.LENGTH, end, reading);
      }
    }
    int year = four(utf8, offset, end);
    boolean isYearOnly = length == 4;
    if (year < 0 || (!isYearOnly && (utf8[offset + 4] != '-' || most == YEAR))) {
      return NOT_A_DATE;
    }
    int at = offset + 4;
    int reached = YEAR;
    int month = 1;
    int day = 1;
    if (at < end && most >= MONTH && utf8[at] == '-') {
      month = two(utf8, at + 1, end);
      at += 3;
      reached = MONTH;
      if (at < end && most >= DAY && utf8[at] == '-') {
        day = two(utf8, at + 1, end);
        at += 3;
        reached = DAY;
      }
    }
    if (!Civil.isDate(year, month, day)) {
      return NOT_A_DATE;
    }
    long days = Civil.daysOf(year, month, day);
    if (at < end && reached == DAY && most >= TIME && utf8[at] == 'T') {
      return parseTime(days, utf8, at + 1, end, reading);
    }
    return at != end || reached < least || zone == Zone.ALWAYS
        ? NOT_A_DATE
        : reading.isRoundUp()
            ? reading.local(days * 86_400 + 86_399, Reading.NANOS_MAX)
            : reading.local(days * 86_400, 0);
  }

  /// What follows the seconds: a fraction, a zone.
  private long parseEnd(long seconds, byte[] utf8, int from, int end, Reading reading) {
    int at = from;
    int nanos = reading.isRoundUp() ? Reading.NANOS_MAX : 0;
    if (at < end && (utf8[at] == '.' || utf8[at] == ',')) {
      int to = Digits.end(utf8, at + 1, end);
      if (to == at + 1 || to - at > 10) {
        return NOT_A_DATE;
      }
      nanos = Digits.nanos(utf8, at + 1, to);
      at = to;
    } else if (least == FRACTION) {
      return NOT_A_DATE;
    }
    if (at == end) {
      return zone == Zone.ALWAYS ? NOT_A_DATE : reading.local(seconds, nanos);
    }
    return zone == Zone.NEVER ? NOT_A_DATE : zoned(seconds, nanos, utf8, at, end, reading);
  }

  private long parseTime(long days, byte[] utf8, int from, int end, Reading reading) {
    int at = from;
    int reached = TIME;
    boolean isRoundUp = reading.isRoundUp();
    int hour = isRoundUp ? 23 : 0;
    int minute = isRoundUp ? 59 : 0;
    int second = minute;
    int nanos = isRoundUp ? Reading.NANOS_MAX : 0;
    if (at < end && most >= HOUR && Digits.isDigit(utf8[at])) {
      hour = two(utf8, at, end);
      at += 2;
      reached = HOUR;
      if (at < end && most >= MINUTE && utf8[at] == ':') {
        minute = two(utf8, at + 1, end);
        at += 3;
        reached = MINUTE;
        if (at < end && most >= SECOND && utf8[at] == ':') {
          second = two(utf8, at + 1, end);
          at += 3;
          reached = SECOND;
        }
      }
    }
    if ((hour | minute | second) < 0
        || hour > 23
        || minute > 59
        || second > 59
        || reached < Math.min(least, SECOND)) {
      return NOT_A_DATE;
    }
    long seconds = days * 86_400 + (hour * 60L + minute) * 60 + second;
    if (reached == SECOND && most == FRACTION) {
      return parseEnd(seconds, utf8, at, end, reading);
    }
    if (at == end) {
      return zone == Zone.ALWAYS ? NOT_A_DATE : reading.local(seconds, nanos);
    }
    if (zone == Zone.NEVER || reached == TIME) {
      return NOT_A_DATE;
    }
    return zoned(seconds, nanos, utf8, at, end, reading);
  }

  /// The instant of a local time in the zone that `[from, end)` names.
  static long zoned(long seconds, int nanos, byte[] utf8, int from, int end, Reading reading) {
    byte sign = utf8[from];
    if (sign == 'Z' && from + 1 == end) {
      return reading.instant(seconds, nanos);
    }
    if (sign == '+' || sign == '-') {
      int offset = offsetSeconds(utf8, from + 1, end);
      return offset < 0
          ? NOT_A_DATE
          : reading.instant(sign == '+' ? seconds - offset : seconds + offset, nanos);
    }
    ZoneId region = region(utf8, from, end);
    return region == null
        ? NOT_A_DATE
        : new Reading(reading.unitsPerSecond(), region, false).local(seconds, nanos);
  }

  /// Seconds of `HH`, `HHmm`, `HH:mm`, `HHmmss` or `HH:mm:ss`; negative when it is none.
  private static int offsetSeconds(byte[] utf8, int from, int end) {
    int hours = two(utf8, from, end);
    int at = from + 2;
    int minutes = 0;
    int seconds = 0;
    if (at < end) {
      int colon = utf8[at] == ':' ? 1 : 0;
      minutes = two(utf8, at + colon, end);
      at += colon + 2;
      if (at < end) {
        if (colon == 1 && utf8[at] != ':') {
          return -1;
        }
        seconds = two(utf8, at + colon, end);
        at += colon + 2;
      }
    }
    int offset = hours * 3600 + minutes * 60 + seconds;
    boolean isOffset =
        at == end && (hours | minutes | seconds) >= 0 && minutes < 60 && seconds < 60;
    return isOffset && offset <= 18 * 3600 ? offset : -1;
  }

  private static @Nullable ZoneId region(byte[] utf8, int from, int end) {
    byte first = utf8[from];
    if (first < 'A' || first > 'z') {
      return null;
    }
    try {
      return ZoneId.of(new String(utf8, from, end - from, StandardCharsets.UTF_8));
    } catch (DateTimeException notAZone) {
      return null;
    }
  }

  @Override
  public String format(ZonedDateTime time) {
    return lenient.format(time);
  }
}
