package dev.holdfast.simulation.schedule;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.holdfast.world.Promise;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/// Errors of the program, broken promises among them, that a task catches, tells the log of, and
/// goes on after: whoever runs again in production has a bug all the same. They are heard though
/// the log is off, unless they are told by a builder of events.
final class LoggedErrors extends TurboFilter {
  private static final ScopedValue<Alarm> ALARM = ScopedValue.newInstance();
  private static final int CAUSES_MAX = 16;

  static {
    ((LoggerContext) LoggerFactory.getILoggerFactory()).addTurboFilter(new LoggedErrors());
  }

  private LoggedErrors() {}

  /// Runs the work of a simulated thread.
  static void heardBy(Alarm alarm, Runnable work) {
    ScopedValue.where(ALARM, alarm).run(work);
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] parameters,
      @Nullable Throwable thrown) {
    if (ALARM.isBound()) {
      Throwable told = thrown;
      if (told == null && parameters != null && parameters.length > 0) {
        told = parameters[parameters.length - 1] instanceof Throwable last ? last : null;
      }
      if (told != null && isOfProgram(told)) {
        ALARM
            .get()
            .violated(
                "an error was caught [logger="
                    + logger.getName()
                    + ", told="
                    + format
                    + "]: "
                    + FailureText.of(told));
      }
    }
    return FilterReply.NEUTRAL;
  }

  private static boolean isOfProgram(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
      if (isBug(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /// Whether nothing that befalls a node may bring it about.
  static boolean isBug(Throwable thrown) {
    return thrown instanceof Error
        || thrown instanceof Promise.Broken
        || thrown instanceof NullPointerException
        || thrown instanceof ClassCastException
        || thrown instanceof IndexOutOfBoundsException;
  }
}
