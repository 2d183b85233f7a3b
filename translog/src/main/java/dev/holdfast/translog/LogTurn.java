package dev.holdfast.translog;

import dev.holdfast.objectstore.budget.Deferrable;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.world.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// When a file of the log goes (§5, and group commit): at once while the request budget allows,
/// else when it is old or large enough or somebody asked for it; and then when there is money,
/// where there is a limit. Guarded by the log's lock.
final class LogTurn {
  /// Files that go because somebody asked, though the request budget is spent: so many at once, and
  /// in the long run so many a second. Shards that open while no leader can be told of them are
  /// written to again and again.
  private static final int HURRIES_BURST = 32;

  private static final double HURRIES_PER_SECOND = 1;

  private static final Duration WAIT_MIN = Duration.ofMillis(1);

  /// How often it is looked whether there is money.
  private static final Duration LOOK = Duration.ofMillis(20);

  private final Clock clock;
  private final LogConfig config;
  private final RequestBudget budget;
  private final RequestBudget hurries;
  private final SpendingPace pace;

  /// Since when the file could have gone, were there no limit; null while it could not.
  private @Nullable Long heldSinceNanos;

  /// Somebody asked for the file before it was due.
  private boolean isHurried;

  LogTurn(Clock clock, LogConfig config, SpendingPace pace) {
    this.clock = clock;
    this.config = config;
    this.pace = pace;
    this.budget = new RequestBudget(clock, config.putsPerSecond(), config.putsBurst());
    this.hurries = new RequestBudget(clock, HURRIES_PER_SECOND, HURRIES_BURST);
  }

  /// The file being filled, or the next, is due.
  void hurry() {
    isHurried = true;
  }

  /// Whether the file goes now; if so it is paid for.
  ///
  /// @param sinceNanos when its first operation came
  boolean tryTake(long sinceNanos, long fileBytes, boolean isClosing) {
    Duration age = Duration.ofNanos(clock.nanoTime() - sinceNanos);
    boolean isDue =
        age.compareTo(config.flushEvery()) >= 0 || fileBytes >= config.fileBytesMax().bytes();
    boolean borrows = !isDue && !budget.has();
    if (borrows && !(isHurried && hurries.has())) {
      return false;
    }
    long held = heldSinceNanos == null ? 0 : clock.nanoTime() - heldSinceNanos;
    boolean goes = pace.tryTake(Deferrable.LOG_FILE, Duration.ofNanos(held));
    if (!goes && !isClosing) {
      heldSinceNanos = heldSinceNanos == null ? clock.nanoTime() : heldSinceNanos;
      return false;
    }
    heldSinceNanos = null;
    isHurried = false;
    if (borrows) {
      boolean _ = hurries.tryTake();
    }
    if (!budget.tryTake()) {
      budget.takeAnyway();
    }
    return true;
  }

  /// Whether the file waits for money.
  boolean isHeld() {
    return heldSinceNanos != null;
  }

  /// How long to wait before the next try.
  Duration pause(long sinceNanos) {
    if (isHeld()) {
      return LOOK;
    }
    long nanos = sinceNanos + config.flushEvery().toNanos() - clock.nanoTime();
    return Duration.ofNanos(Math.max(nanos, WAIT_MIN.toNanos()));
  }
}
