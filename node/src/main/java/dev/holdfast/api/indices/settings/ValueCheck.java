package dev.holdfast.api.indices.settings;

import dev.holdfast.document.TimeSeries;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A type of settings' values.
///
/// @param type for people
record ValueCheck(String type, IndexSetting.Check check) {
  static final ValueCheck TEXT = new ValueCheck("text", (name, value) -> {});
  static final ValueCheck LIST = new ValueCheck("list", (name, value) -> {});
  static final ValueCheck BOOL = new ValueCheck("boolean", ValueCheck::bool);
  static final ValueCheck TIME =
      new ValueCheck(
          "time",
          (name, value) -> {
            Duration _ = TimeValue.parse(name, value);
          });
  static final ValueCheck SIZE =
      new ValueCheck(
          "size",
          (name, value) -> {
            ByteSize _ = ByteSize.parse(name, value);
          });
  static final ValueCheck INSTANT =
      new ValueCheck(
          "date",
          (name, value) -> {
            long _ = TimeSeries.millis(value);
          });

  /// Whether small segments are one file each: always, never, up to a share or size.
  static final ValueCheck COMPOUND =
      new ValueCheck("boolean, number from 0 to 1, size", ValueCheck::compound);

  /// A time that is not negative.
  static final ValueCheck DURATION =
      new ValueCheck(
          "time of 0 or more",
          (name, value) ->
              requireBound(name, value, TimeValue.parse(name, value).isNegative(), ">= [0ms]"));

  /// How many copies must be there.
  static final ValueCheck ACTIVE =
      new ValueCheck("number of copies, all", (_, value) -> active(value));

  private static void active(String value) {
    if (value.equals("all")) {
      return;
    }
    if (!value.matches("-?[0-9]{1,9}")) {
      throw Refusal.badArgument("cannot parse ActiveShardCount[" + value + "]");
    }
    if (value.startsWith("-")) {
      throw Refusal.badArgument("shard count cannot be a negative value");
    }
  }

  /// `0-1`, `0-all`; `false`.
  static final ValueCheck COPIES = new ValueCheck("range of copies, false", ValueCheck::copies);

  private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})-(all|[0-9]{1,9})");

  private static void copies(String name, String value) {
    if (value.equals("false")) {
      return;
    }
    Matcher range = RANGE.matcher(value);
    if (!range.matches()) {
      throw Refusal.badArgument(
          "failed to parse ["
              + name
              + "] from value: ["
              + value
              + "] at index "
              + value.indexOf('-'));
    }
    String most = range.group(2);
    if (!most.equals("all") && Integer.parseInt(range.group(1)) > Integer.parseInt(most)) {
      throw Refusal.badArgument(
          "["
              + name
              + "] minReplicas must be =< maxReplicas but wasn't "
              + range.group(1)
              + " > "
              + most);
    }
  }

  static ValueCheck whole(long min, long max) {
    return new ValueCheck("whole number", (name, value) -> whole(name, value, min, max));
  }

  /// A number, fractions too.
  static ValueCheck number(double min, double max) {
    return new ValueCheck("number", (name, value) -> number(name, value, min, max));
  }

  static ValueCheck timeFrom(String least) {
    return new ValueCheck(
        "time of " + least + " or more",
        (name, value) ->
            requireBound(
                name,
                value,
                TimeValue.parse(name, value).compareTo(TimeValue.parse(name, least)) < 0,
                ">= [" + least + "]"));
  }

  static ValueCheck sizeFrom(String least) {
    return new ValueCheck(
        "size of " + least + " or more",
        (name, value) ->
            requireBound(
                name,
                value,
                ByteSize.parse(name, value).compareTo(ByteSize.parse(name, least)) < 0,
                ">= [" + least + "]"));
  }

  private static void compound(String name, String value) {
    boolean isRatio =
        value.matches("[0-9]{0,9}[.]?[0-9]{0,9}")
            && value.matches(".*[0-9].*")
            && Double.parseDouble(value) <= 1;
    if (!isRatio && !value.equals("true") && !value.equals("false") && !ByteSize.isSize(value)) {
      throw Refusal.badArgument(
          name
              + " must be a boolean, a non-negative byte size or a ratio in the interval [0..1] but"
              + " was: ["
              + value
              + "]");
    }
  }

  static ValueCheck timeBetween(String least, String most) {
    return new ValueCheck(
        "time from " + least + " to " + most,
        (name, value) -> {
          Duration given = TimeValue.parse(name, value);
          requireBound(
              name, value, given.compareTo(TimeValue.parse(name, least)) < 0, ">= " + least);
          requireBound(name, value, given.compareTo(TimeValue.parse(name, most)) > 0, "<= " + most);
        });
  }

  private static void requireBound(String name, String value, boolean isOver, String bound) {
    if (isOver) {
      throw Refusal.badArgument(
          "failed to parse value [" + value + "] for setting [" + name + "], must be " + bound);
    }
  }

  static ValueCheck oneOf(String... values) {
    List<String> choices = List.of(values);
    return new ValueCheck(
        String.join(", ", choices),
        (name, value) -> requireChoice(name, choices, value, choices.contains(value)));
  }

  /// Names in small or capital letters.
  static ValueCheck anyCaseOf(String... values) {
    List<String> choices = List.of(values);
    return new ValueCheck(
        String.join(", ", choices),
        (name, value) ->
            requireChoice(name, choices, value, choices.contains(value.toLowerCase(Locale.ROOT))));
  }

  private static void requireChoice(
      String name, List<String> choices, String value, boolean isChoice) {
    if (!isChoice) {
      throw Refusal.badArgument(
          "unknown value for [" + name + "] must be one of " + choices + " but was: " + value);
    }
  }

  static ValueCheck sourceMode() {
    return new ValueCheck(
        "stored, synthetic, disabled",
        (name, value) -> {
          if (!List.of("stored", "synthetic", "disabled")
              .contains(value.toLowerCase(Locale.ROOT))) {
            throw Refusal.badArgument(
                "unknown value for ["
                    + name
                    + "] must be one of [stored, synthetic, disabled] but was: "
                    + value);
          }
        });
  }

  static ValueCheck sourceKeep() {
    return new ValueCheck(
        "none, arrays",
        (_, value) -> {
          if (!List.of("none", "arrays").contains(value)) {
            throw Refusal.badArgument(
                "Unknown synthetic_source_keep value ["
                    + value
                    + "], accepted values are [none,arrays]");
          }
        });
  }

  private static void bool(String name, String value) {
    if (!value.equals("true") && !value.equals("false")) {
      throw Refusal.badArgument(
          "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    }
  }

  private static void number(String name, String value, double min, double max) {
    double number;
    try {
      number = Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw unreadable(name, value, e);
    }
    if (!(number >= min)) {
      throw outside(name, value, "must be >= " + min);
    }
    if (number > max) {
      throw outside(name, value, "must be <= " + max);
    }
  }

  private static Refusal outside(String name, String value, String bound) {
    return Refusal.badArgument(
        "Failed to parse value [" + value + "] for setting [" + name + "] " + bound);
  }

  private static void whole(String name, String value, long min, long max) {
    long number;
    try {
      number = Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw unreadable(name, value, e);
    }
    if (number < min) {
      throw outside(name, value, "must be >= " + min);
    }
    if (number > max) {
      throw outside(name, value, "must be <= " + max);
    }
  }

  private static Refusal unreadable(String name, String value, NumberFormatException e) {
    return new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "Failed to parse value [" + value + "] for setting [" + name + "]",
        new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage())));
  }
}
