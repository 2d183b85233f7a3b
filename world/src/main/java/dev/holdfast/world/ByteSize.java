package dev.holdfast.world;

import java.util.Locale;

/// A number of bytes, written as people write it: `15mb`, `1gb`, `512kb`, `100b`; powers of 1024.
///
/// @param bytes never negative
public record ByteSize(long bytes) implements Comparable<ByteSize> {
  public ByteSize {
    Promise.keep(bytes >= 0, "a size is not negative", "bytes", bytes);
  }

  public static ByteSize kib(long kib) {
    return new ByteSize(kib << 10);
  }

  public static ByteSize mib(long mib) {
    return new ByteSize(mib << 20);
  }

  public static ByteSize gib(long gib) {
    return new ByteSize(gib << 30);
  }

  /// Whether a text is a size with its unit.
  public static boolean isSize(String text) {
    try {
      ByteSize _ = parse("", text);
      return true;
    } catch (Refusal _) {
      return false;
    }
  }

  /// @param name the setting's name, for the message
  /// @throws Refusal `illegal_argument_exception` when `text` is not a size with its unit
  public static ByteSize parse(String name, String text) {
    String lower = text.trim().toLowerCase(Locale.ROOT);
    String[] units = {"pb", "tb", "gb", "mb", "kb", "p", "t", "g", "m", "k", "b"};
    int[] shifts = {50, 40, 30, 20, 10, 50, 40, 30, 20, 10, 0};
    for (int i = 0; i < units.length; i++) {
      if (lower.endsWith(units[i])) {
        String number = lower.substring(0, lower.length() - units[i].length()).trim();
        try {
          return size(name, text, Double.parseDouble(number) * (1L << shifts[i]));
        } catch (NumberFormatException e) {
          break;
        }
      }
    }
    if (lower.equals("0")) {
      return new ByteSize(0);
    }
    throw new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "failed to parse setting ["
            + name
            + "] with value ["
            + text
            + "] as a size in bytes: unit is missing or unrecognized");
  }

  /// What is below 0, or no number at all, is no size.
  private static ByteSize size(String name, String text, double bytes) {
    if (!(bytes >= 0)) {
      throw Refusal.badArgument(
          "failed to parse setting ["
              + name
              + "] with value ["
              + text
              + "] as a size in bytes: values less than 0 bytes are not supported");
    }
    return new ByteSize((long) bytes);
  }

  @Override
  public int compareTo(ByteSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /// As Elasticsearch prints sizes: `15mb`, `1.2gb`.
  @Override
  public String toString() {
    String[] units = {"b", "kb", "mb", "gb", "tb", "pb"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    String number = String.format(Locale.ROOT, "%.1f", Math.floor(value * 10) / 10);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number)
        + units[unit];
  }
}
