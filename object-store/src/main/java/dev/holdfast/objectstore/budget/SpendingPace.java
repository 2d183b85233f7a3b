package dev.holdfast.objectstore.budget;

import dev.holdfast.world.metric.Histogram;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.LongSupplier;

/// How fast this node may spend. Every request is paid from one purse that fills at the node's
/// rate: those that nobody may hold up, searches among them, take from it whatever is in it, and
/// those that can wait do so until it holds what they cost, or until they have waited as long as
/// they may. While both kinds wait, three files of the log go for each upload.
public final class SpendingPace {
  /// What is not spent is saved up for so long.
  private static final Duration SAVED = Duration.ofSeconds(10);

  /// What was overspent is made up for, as far as it was spent within so long.
  private static final Duration OWED = Duration.ofMinutes(10);

  private static final int SAVED_REQUESTS_MIN = 2;
  private static final int LOG_FILES_A_TURN = 3;

  /// A request waits if it has asked within this time.
  private static final Duration ASKED_WITHIN = Duration.ofSeconds(1);

  /// Requests that were paid for and never sent are forgotten beyond so many.
  private static final int PAID_MAX = 100;

  private final LongSupplier nanos;
  private final double requestDollars;
  private final DoubleAdder promptDollars = new DoubleAdder();
  private final DoubleAdder deferredDollars = new DoubleAdder();
  private final Map<Deferrable, Tally> tallies = new EnumMap<>(Deferrable.class);

  /// Dollars a second; infinite for no limit. Changed under this.
  private volatile double limit = Double.POSITIVE_INFINITY;

  // Guarded by this.
  private double purse;
  private double paid;
  private long filledNanos;
  private final Map<Deferrable, Long> askedNanos = new EnumMap<>(Deferrable.class);
  private int logFilesInTurn;
  private boolean isEnded;

  /// @param nanos a monotonic clock
  /// @param requestDollars what one request that can wait costs, as a rule
  public SpendingPace(LongSupplier nanos, double requestDollars) {
    this.nanos = nanos;
    this.requestDollars = requestDollars;
    for (Deferrable kind : Deferrable.values()) {
      tallies.put(kind, new Tally());
    }
  }

  /// Where nothing costs anything.
  public static SpendingPace unlimited() {
    return new SpendingPace(() -> 0, 0);
  }

  /// @param dollarsPerSecond from now on; infinite for no limit
  public synchronized void limit(double dollarsPerSecond) {
    if (isEnded) {
      return;
    }
    if (isLimited()) {
      refill();
    } else {
      purse = 0;
      paid = 0;
      filledNanos = nanos.getAsLong();
    }
    limit = dollarsPerSecond;
  }

  /// This node stops: what it has to do for that it may, whatever anybody says later.
  public synchronized void end() {
    limit(Double.POSITIVE_INFINITY);
    isEnded = true;
  }

  /// Dollars a second; infinite for no limit.
  public double limit() {
    return limit;
  }

  public boolean isLimited() {
    return !Double.isInfinite(limit);
  }

  /// Whether the request may go now; if so it is paid for.
  ///
  /// @param held for how long it could have gone, were there no limit
  public synchronized boolean tryTake(Deferrable kind, Duration held) {
    if (!isLimited()) {
      return true;
    }
    refill();
    boolean isOverdue = held.compareTo(kind.waitMax()) >= 0;
    if (!isOverdue && !isItsTurn(kind)) {
      return false;
    }
    went(kind, held, isOverdue);
    return true;
  }

  /// The request goes now, whether there is money or not.
  ///
  /// @param held as above
  public synchronized void takeAnyway(Deferrable kind, Duration held) {
    if (isLimited()) {
      refill();
      went(kind, held, true);
    }
  }

  private void went(Deferrable kind, Duration held, boolean isOverdue) {
    switch (kind) {
      case LOG_FILE -> logFilesInTurn++;
      case UPLOAD -> logFilesInTurn = 0;
    }
    askedNanos.remove(kind);
    purse -= requestDollars;
    paid = Math.min(paid + requestDollars, PAID_MAX * requestDollars);
    tally(kind).went(held, isOverdue);
  }

  private boolean isItsTurn(Deferrable kind) {
    askedNanos.put(kind, nanos.getAsLong());
    boolean isUploads = logFilesInTurn >= LOG_FILES_A_TURN;
    boolean mayGo =
        switch (kind) {
          case LOG_FILE -> !isUploads || !isWaiting(Deferrable.UPLOAD);
          case UPLOAD -> isUploads || !isWaiting(Deferrable.LOG_FILE);
        };
    return mayGo && purse >= requestDollars;
  }

  /// Whether one of that kind has asked in vain, a moment ago.
  private boolean isWaiting(Deferrable kind) {
    Long asked = askedNanos.get(kind);
    return asked != null && nanos.getAsLong() - asked <= ASKED_WITHIN.toNanos();
  }

  /// A request is sent, allowed or not.
  ///
  /// @param isDeferrable whether it is one that could have waited
  public void spent(boolean isDeferrable, double dollars) {
    (isDeferrable ? deferredDollars : promptDollars).add(dollars);
    if (isLimited()) {
      pay(isDeferrable, dollars);
    }
  }

  private synchronized void pay(boolean isDeferrable, double dollars) {
    double before = isDeferrable ? Math.min(paid, dollars) : 0;
    paid -= before;
    purse -= dollars - before;
  }

  private void refill() {
    long now = nanos.getAsLong();
    double second = 1e-9 * (now - filledNanos);
    filledNanos = now;
    double most = Math.max(limit * SAVED.toSeconds(), SAVED_REQUESTS_MIN * requestDollars);
    purse = Math.clamp(purse + second * limit, -limit * OWED.toSeconds(), most);
  }

  /// Dollars of all requests that nobody held up.
  public double promptDollars() {
    return promptDollars.sum();
  }

  /// Dollars of all requests that could wait.
  public double deferredDollars() {
    return deferredDollars.sum();
  }

  /// What waiting for money has cost in time, while there was a limit.
  public synchronized Waits waits(Deferrable kind) {
    return tally(kind).waits();
  }

  private Tally tally(Deferrable kind) {
    return Objects.requireNonNull(tallies.get(kind));
  }

  /// Waits of one kind of request.
  ///
  /// @param held requests that waited
  /// @param overdue requests that went without money, because they could wait no longer
  /// @param seconds of all requests, those that waited for nothing among them
  public record Waits(
      long held,
      long overdue,
      double lastSeconds,
      double longestSeconds,
      Histogram.Snapshot seconds) {}

  private static final class Tally {
    private final Histogram seconds = Histogram.ofSeconds();
    private double longest;
    private double last;
    private long held;
    private long overdue;

    private void went(Duration wait, boolean isOverdue) {
      last = wait.toNanos() * 1e-9;
      longest = Math.max(longest, last);
      held += wait.isZero() ? 0 : 1;
      overdue += isOverdue ? 1 : 0;
      seconds.record(last);
    }

    private Waits waits() {
      return new Waits(held, overdue, last, longest, seconds.snapshot());
    }
  }
}
