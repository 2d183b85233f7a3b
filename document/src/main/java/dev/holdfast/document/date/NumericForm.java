package dev.holdfast.document.date;

import static dev.holdfast.document.date.Digits.four;
import static dev.holdfast.document.date.Digits.two;

import java.time.ZonedDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Dates of a custom pattern whose parts are numbers of fixed width (`yyyy-MM-dd HH:mm:ss`), read
/// from bytes as a list of steps: a letter of the pattern and its width, or a literal byte.
final class NumericForm implements DateForm {
  private static final byte LITERAL = 0;
  private static final Pattern TIMESTAMP =
      Pattern.compile("(?:yyyy|uuuu)-MM-dd'?([ T_])'?HH:mm:ss");
  private static final String LETTERS = "uMdHmsSX";

  private final byte[] steps;
  private final byte[] arguments;
  private final DateForm exact;
  private final byte timestampSeparator;

  private NumericForm(byte[] steps, byte[] arguments, DateForm exact, byte timestampSeparator) {
    this.steps = steps;
    this.arguments = arguments;
    this.exact = exact;
    this.timestampSeparator = timestampSeparator;
  }

  /// The form for a java.time pattern, or `exact` itself when the pattern holds more than numbers
  /// of fixed width.
  static DateForm of(String pattern, DateForm exact) {
    Steps steps = Steps.of(pattern);
    if (steps == null) {
      return exact;
    }
    Matcher timestamp = TIMESTAMP.matcher(pattern);
    byte separator = timestamp.matches() ? (byte) timestamp.group(1).charAt(0) : 0;
    return new NumericForm(steps.kinds, steps.arguments, exact, separator);
  }

  @Override
  public long parse(byte[] utf8, int offset, int length, Reading reading) {
    if (length > 0 && (utf8[offset] == '+' || utf8[offset] == '-')) {
      return exact.parse(utf8, offset, length, reading);
    }
    if (timestampSeparator != 0 && length == Timestamps.LENGTH && !reading.isRoundUp()) {
      long seconds = Timestamps.seconds(utf8, offset, timestampSeparator);
      return seconds == NOT_A_DATE ? NOT_A_DATE : reading.local(seconds, 0);
    }
    int end = offset + length;
    int at = offset;
    boolean isRoundUp = reading.isRoundUp();
    int year = 1970;
    int month = 1;
    int day = 1;
    int hour = isRoundUp ? 23 : 0;
    int minute = isRoundUp ? 59 : 0;
    int second = minute;
    int nanos = isRoundUp ? Reading.NANOS_MAX : 0;
    for (int i = 0; i < steps.length; i++) {
      int argument = arguments[i];
      switch (steps[i]) {
        case LITERAL -> {
          if (at >= end || utf8[at] != argument) {
            return NOT_A_DATE;
          }
        }
        case 'u' -> year = four(utf8, at, end);
        case 'M' -> month = two(utf8, at, end);
        case 'd' -> day = two(utf8, at, end);
        case 'H' -> hour = two(utf8, at, end);
        case 'm' -> minute = two(utf8, at, end);
        case 's' -> second = two(utf8, at, end);
        case 'S' -> {
          if (at + argument > end || Digits.end(utf8, at, at + argument) != at + argument) {
            return NOT_A_DATE;
          }
          nanos = Digits.nanos(utf8, at, at + argument);
        }
        default -> { // the zone, always last
          boolean isUtc = at + 1 == end && utf8[at] == 'Z';
          if (!isUtc) {
            return exact.parse(utf8, offset, length, reading);
          }
          return isTime(year, month, day, hour, minute, second)
              ? reading.instant(seconds(year, month, day, hour, minute, second), nanos)
              : NOT_A_DATE;
        }
      }
      at += steps[i] == LITERAL ? 1 : argument;
    }
    if (at != end || !isTime(year, month, day, hour, minute, second)) {
      return NOT_A_DATE;
    }
    return reading.local(seconds(year, month, day, hour, minute, second), nanos);
  }

  private static long seconds(int year, int month, int day, int hour, int minute, int second) {
    return Civil.daysOf(year, month, day) * 86_400 + (hour * 60L + minute) * 60 + second;
  }

  private static boolean isTime(int year, int month, int day, int hour, int minute, int second) {
    return (year | hour | minute | second) >= 0
        && Civil.isDate(year, month, day)
        && hour < 24
        && minute < 60
        && second < 60;
  }

  @Override
  public String format(ZonedDateTime time) {
    return exact.format(time);
  }

  /// A pattern taken apart.
  private static final class Steps {
    byte[] kinds = new byte[0];
    byte[] arguments = new byte[0];

    static @Nullable Steps of(String pattern) {
      Steps steps = new Steps();
      String seen = "";
      int at = 0;
      while (at < pattern.length()) {
        char c = pattern.charAt(at);
        int to = at + 1;
        if (c == '\'') {
          to = pattern.indexOf('\'', at + 1) + 1;
          if (to <= at + 2 || !steps.addLiterals(pattern.substring(at + 1, to - 1))) {
            return null;
          }
        } else if (Character.isLetter(c)) {
          while (to < pattern.length() && pattern.charAt(to) == c) {
            to++;
          }
          char letter = c == 'y' ? 'u' : c;
          if (seen.indexOf(letter) >= 0 || !isFixed(letter, to - at)) {
            return null;
          }
          if (letter == 'X' && to < pattern.length()) {
            return null;
          }
          seen += letter;
          steps.add((byte) letter, (byte) (to - at));
        } else if ("[]{}#".indexOf(c) >= 0 || !steps.addLiterals(String.valueOf(c))) {
          return null;
        }
        at = to;
      }
      return isComplete(seen) ? steps : null;
    }

    /// A time's parts must follow one another without a gap: java.time refuses seconds without
    /// minutes.
    private static boolean isComplete(String seen) {
      boolean hasDate = seen.contains("u") && seen.contains("M") && seen.contains("d");
      StringBuilder time = new StringBuilder();
      "HmsS".chars().filter(c -> seen.indexOf(c) >= 0).forEach(c -> time.append((char) c));
      return hasDate && "HmsS".startsWith(time.toString());
    }

    private static boolean isFixed(char letter, int width) {
      return LETTERS.indexOf(letter) >= 0
          && switch (letter) {
            case 'u' -> width == 4;
            case 'S' -> width <= 9;
            case 'X' -> width <= 3;
            default -> width == 2;
          };
    }

    private boolean addLiterals(String text) {
      for (int i = 0; i < text.length(); i++) {
        if (text.charAt(i) > 0x7f) {
          return false;
        }
        add(LITERAL, (byte) text.charAt(i));
      }
      return true;
    }

    private void add(byte kind, byte argument) {
      kinds = java.util.Arrays.copyOf(kinds, kinds.length + 1);
      arguments = java.util.Arrays.copyOf(arguments, arguments.length + 1);
      kinds[kinds.length - 1] = kind;
      arguments[arguments.length - 1] = argument;
    }
  }
}
