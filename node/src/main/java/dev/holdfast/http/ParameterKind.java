package dev.holdfast.http;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// What the value of a query parameter may be. It is checked whether or not an API has a use for
/// the value: what cannot be read is refused, never ignored.
public enum ParameterKind {
  /// Given without a value it is true.
  FLAG("boolean") {
    @Override
    void check(String name, String value) {
      if (!value.isEmpty()) {
        requireBoolean(value);
      }
    }
  },
  /// Given without a value it is as if it were not given.
  OPTION("boolean") {
    @Override
    void check(String name, String value) {
      FLAG.check(name, value);
    }
  },
  /// Given without a value it is refused.
  SAID("boolean") {
    @Override
    void check(String name, String value) {
      try {
        requireBoolean(value);
      } catch (Refusal why) {
        throw new Refusal(
            ErrorType.ILLEGAL_ARGUMENT, "Could not convert [" + name + "] to boolean", why);
      }
    }
  },
  INT("int") {
    @Override
    void check(String name, String value) {
      try {
        int _ = Integer.parseInt(value);
      } catch (NumberFormatException e) {
        throw none(name, value, e);
      }
    }
  },
  LONG("long") {
    @Override
    void check(String name, String value) {
      try {
        long _ = Long.parseLong(value);
      } catch (NumberFormatException e) {
        throw none(name, value, e);
      }
    }
  },
  FLOAT("float") {
    @Override
    void check(String name, String value) {
      try {
        float _ = Float.parseFloat(value);
      } catch (NumberFormatException e) {
        throw none(name, value, e);
      }
    }
  },
  TIME("time") {
    @Override
    void check(String name, String value) {
      var _ = TimeValue.parse(name, value);
    }
  },
  /// `all`, `index-setting`, or a number of copies.
  COPIES("number of copies, all") {
    @Override
    void check(String name, String value) {
      if (value.equals("all") || value.equals("index-setting")) {
        return;
      }
      int copies;
      try {
        copies = Integer.parseInt(value);
      } catch (NumberFormatException e) {
        throw new Refusal(
            ErrorType.ILLEGAL_ARGUMENT,
            "cannot parse ActiveShardCount[" + value + "]",
            new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage())));
      }
      if (copies < 0) {
        throw Refusal.badArgument("shard count cannot be a negative value");
      }
    }
  },
  /// One of some words, which the API that reads it knows.
  CHOICE("word"),
  LIST("list"),
  TEXT("text");

  private final String label;

  ParameterKind(String label) {
    this.label = label;
  }

  /// For people.
  public String label() {
    return label;
  }

  /// @throws Refusal `illegal_argument_exception` for what is no value of this kind
  void check(String name, String value) {}

  private static void requireBoolean(String value) {
    if (!value.equals("true") && !value.equals("false")) {
      throw Refusal.badArgument(
          "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    }
  }

  Refusal none(String name, String value, NumberFormatException why) {
    return new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "Failed to parse " + label + " parameter [" + name + "] with value [" + value + "]",
        new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(why.getMessage())));
  }
}
