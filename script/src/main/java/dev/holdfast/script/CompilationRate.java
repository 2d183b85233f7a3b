package dev.holdfast.script;

import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How many scripts may be compiled in a time: `script.max_compilations_rate`, `150/5m`, or
/// `unlimited`. What is not used of it is saved up to once the number.
public final class CompilationRate {
  public static final String SETTING = "script.max_compilations_rate";
  public static final String UNLIMITED = "unlimited";

  private static final Pattern RATE = Pattern.compile("(\\d+)/(\\d+)(s|m|h|d)");

  private final LongAdder refused = new LongAdder();
  private String text = UNLIMITED;
  private double most;
  private double perMilli;
  private double left;
  private long lastMillis;

  /// @throws Refusal 400 for what is no rate
  public static void check(String text) {
    if (!text.equals(UNLIMITED) && !RATE.matcher(text).matches()) {
      throw Refusal.badArgument(
          "Failed to parse value ["
              + text
              + "] for setting ["
              + SETTING
              + "]: parameter must contain a positive integer and a timevalue, i.e. 10/1m, but was"
              + " ["
              + text
              + "]");
    }
  }

  private static Duration unit(String name) {
    return switch (name) {
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    };
  }

  synchronized void set(String rate, Clock clock) {
    if (rate.equals(text)) {
      return;
    }
    check(rate);
    text = rate;
    Matcher parts = RATE.matcher(rate);
    if (parts.matches()) {
      most = Double.parseDouble(parts.group(1));
      perMilli = most / (unit(parts.group(3)).toMillis() * Double.parseDouble(parts.group(2)));
      left = most;
      lastMillis = clock.epochMillis();
    }
  }

  /// Asked before each compilation.
  ///
  /// @throws Refusal `circuit_breaking_exception`, 429, when there were too many
  synchronized void take(Clock clock) {
    if (text.equals(UNLIMITED)) {
      return;
    }
    long now = clock.epochMillis();
    left = Math.min(most, left + Math.max(0, now - lastMillis) * perMilli);
    lastMillis = now;
    if (left < 1) {
      refused.increment();
      throw new Refusal(
          ErrorType.CIRCUIT_BREAKING,
          "[script] Too many dynamic script compilations within, max: ["
              + text
              + "]; please use indexed, or scripts with parameters instead; this limit can be"
              + " changed by the ["
              + SETTING
              + "] setting");
    }
    left--;
  }

  long refused() {
    return refused.sum();
  }
}
