package dev.holdfast.api.cluster;

import dev.holdfast.api.slm.CronExpression;
import dev.holdfast.cost.StoreBudget;
import dev.holdfast.http.TimeValue;
import dev.holdfast.script.CompilationRate;
import dev.holdfast.settings.CacheSettings;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// A setting of the whole cluster: what it may hold, and who reads it, or why nobody does. Checks,
/// defaults, warnings, suggestions and the table for people (`docs/settings.md`) are made of these.
///
/// @param byDefault what it is when nobody set it; empty for nothing
/// @param reader simple name of the class that reads it; empty for none
/// @param idle why it has no effect here, as the end of a sentence; empty when it has one
public record ClusterSetting(String name, Kind kind, String byDefault, String reader, String idle) {
  /// What a setting may hold.
  public enum Kind {
    BOOL("boolean"),
    WHOLE("whole number"),
    COUNT("whole number of 1 or more"),
    NUMBER("number"),
    TIME("time"),
    DURATION("time of 0 or more"),
    RETENTION("time of 10s or more, or -1"),
    POLL("time of 1s or more"),
    RANGE_POLL("time from 1m to 10m"),
    SIZE("size"),
    SHARE("size or percentage"),
    DOLLARS("dollars a month"),
    TEXT("text"),
    SCHEDULE("cron expression"),
    RATE("number/time, or unlimited"),
    ALLOCATION("all, primaries, new_primaries, none"),
    LOAD("all_time, recent, peak"),
    REBALANCE("all, primaries, replicas, none"),
    REBALANCING("always, indices_primaries_active, indices_all_active"),
    BLOCK("all, write, metadata_write"),
    TASKS("all, none"),
    WATERMARK("percentage, share of 1, or size"),
    CREATION("true, false, or patterns after + and -");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /// For people.
    public String label() {
      return label;
    }
  }

  private static final Duration RETENTION_MIN = Duration.ofSeconds(10);
  private static final Duration POLL_MIN = Duration.ofSeconds(1);
  private static final Duration RANGE_POLL_MIN = Duration.ofMinutes(1);
  private static final Duration RANGE_POLL_MAX = Duration.ofMinutes(10);

  public ClusterSetting {
    if (reader.isEmpty() == idle.isEmpty()) {
      throw new IllegalArgumentException("[" + name + "] is read, or says why not");
    }
  }

  static ClusterSetting read(String name, Kind kind, String byDefault, String reader) {
    return new ClusterSetting(name, kind, byDefault, reader, "");
  }

  static ClusterSetting idle(String name, Kind kind, String byDefault, String why) {
    return new ClusterSetting(name, kind, byDefault, "", why);
  }

  /// @throws Refusal `illegal_argument_exception` for a value of another kind
  void check(String value) {
    switch (kind) {
      case BOOL -> {
        if (!value.equals("true") && !value.equals("false")) {
          throw Refusal.badArgument(
              "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
        }
      }
      case WHOLE -> {
        if (number(value) < 0) {
          throw Refusal.badArgument(
              "Failed to parse value [" + value + "] for setting [" + name + "] must be >= 0");
        }
        requireInt(value);
      }
      case COUNT -> {
        if (number(value) < 1) {
          throw Refusal.badArgument(
              "Failed to parse value [" + value + "] for setting [" + name + "] must be >= 1");
        }
        requireInt(value);
      }
      case NUMBER -> {
        double _ = number(value);
      }
      case TIME -> {
        if (!value.equals("-1")) {
          Duration _ = TimeValue.parse(name, value);
        }
      }
      case DURATION -> {
        if (TimeValue.parse(name, value).isNegative()) {
          throw Refusal.badArgument(
              "Failed to parse value [" + value + "] for setting [" + name + "] must be >= 0");
        }
      }
      case RETENTION -> {
        Duration given = TimeValue.parse(name, value);
        if (!given.isNegative() && given.compareTo(RETENTION_MIN) < 0) {
          throw Refusal.badArgument(
              "Failed to parse value [" + value + "] for setting [" + name + "] must be >= 10s");
        }
      }
      case POLL -> {
        if (TimeValue.parse(name, value).compareTo(POLL_MIN) < 0) {
          throw outside(value, ">= [1s]");
        }
      }
      case RANGE_POLL -> {
        Duration given = TimeValue.parse(name, value);
        if (given.compareTo(RANGE_POLL_MIN) < 0) {
          throw outside(value, ">= [1m]");
        }
        if (given.compareTo(RANGE_POLL_MAX) > 0) {
          throw outside(value, "<= [10m]");
        }
      }
      case SIZE -> {
        ByteSize _ = ByteSize.parse(name, value);
      }
      case SHARE -> share(value);
      case DOLLARS -> StoreBudget.parse(value);
      case TEXT -> {}
      case SCHEDULE -> schedule(value);
      case RATE -> CompilationRate.check(value);
      case WATERMARK -> watermark(value);
      case CREATION -> creation(value);
      case ALLOCATION, LOAD, REBALANCE, REBALANCING, BLOCK, TASKS -> choice(value);
    }
  }

  private Refusal outside(String value, String bound) {
    return Refusal.badArgument(
        "failed to parse value [" + value + "] for setting [" + name + "], must be " + bound);
  }

  /// A share of a disk, or what is to stay free of it.
  private void watermark(String value) {
    String number = value.endsWith("%") ? value.substring(0, value.length() - 1) : value;
    double most = value.endsWith("%") ? 100 : 1;
    try {
      double share = Double.parseDouble(number);
      if (share >= 0 && share <= most) {
        return;
      }
    } catch (NumberFormatException _) {
      if (ByteSize.isSize(value)) {
        return;
      }
    }
    throw Refusal.badArgument(
        "unable to parse [" + name + "=" + value + "] as either percentage or bytes");
  }

  private void creation(String value) {
    for (String rule : value.split(",", -1)) {
      if (rule.equals("+") || rule.equals("-")) {
        throw Refusal.badArgument(
            "Can't parse ["
                + value
                + "] for setting ["
                + name
                + "] must contain an index name after ["
                + rule
                + "]");
      }
    }
  }

  /// Nothing: never.
  private void schedule(String value) {
    try {
      if (!value.isBlank()) {
        CronExpression.check(value);
      }
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "Failed to parse value [" + value + "] for setting [" + name + "]: " + e.getMessage(),
          e);
    }
  }

  /// Whole numbers are as large as an int, but where the default is larger.
  private void requireInt(String value) {
    if (number(value) > Integer.MAX_VALUE && number(byDefault) <= Integer.MAX_VALUE) {
      throw Refusal.badArgument(
          "Failed to parse value ["
              + value
              + "] for setting ["
              + name
              + "] must be <= "
              + Integer.MAX_VALUE);
    }
  }

  private double number(String value) {
    try {
      return kind == Kind.WHOLE || kind == Kind.COUNT
          ? Long.parseLong(value)
          : Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "Failed to parse value [" + value + "] for setting [" + name + "]",
          new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage())));
    }
  }

  private void choice(String value) {
    List<String> choices = List.of(kind.label().split(", "));
    if (!choices.contains(value.toLowerCase(Locale.ROOT))) {
      throw Refusal.badArgument(
          "illegal value [" + value + "] for [" + name + "], it must be one of " + choices);
    }
  }

  private void share(String value) {
    try {
      CacheSettings.share(name, value);
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "failed to parse setting [" + name + "] with value [" + value + "]: " + e.getMessage(),
          e);
    }
  }
}
