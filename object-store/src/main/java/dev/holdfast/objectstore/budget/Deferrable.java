package dev.holdfast.objectstore.budget;

import java.time.Duration;
import java.util.Locale;

/// Requests that can wait for money.
public enum Deferrable {
  /// A file of the log: what is in it is acknowledged later. No longer than that: answers that tell
  /// of what is not durable yet wait ten seconds at most.
  LOG_FILE(Duration.ofSeconds(5)),
  /// A batch of commits that is due: the log holds more, and a recovery replays more.
  UPLOAD(Duration.ofMinutes(5));

  private final Duration waitMax;

  Deferrable(Duration waitMax) {
    this.waitMax = waitMax;
  }

  /// It goes after so long, whatever it costs.
  public Duration waitMax() {
    return waitMax;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
