package dev.holdfast.objectstore.open;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether this machine's wall clock agrees with the store's. Who deletes something because it is
/// old asks first: a clock that is ahead makes everything older than it is, and one that is wrong
/// today has perhaps dated what another finds too old tomorrow.
///
/// A small object is written, and listed with the time at which the store says that it was. That is
/// done where something is due only, again after an hour, and when the wall clock has moved
/// otherwise than the monotonic one: two requests an hour at most, on S3 a cent a month. A store
/// that tells no time (one in memory) contradicts nobody; one of files has the time of who writes
/// them, or of the server that they lie on.
public final class StoreClock {
  /// Written over and over: never more than one object.
  public static final String KEY = StoreProbe.FOLDER + "clock";

  private static final Logger LOG = LoggerFactory.getLogger(StoreClock.class);

  private static final Duration DIFFERENCE_MAX = Duration.ofMinutes(5);

  /// A comparison that takes longer says too little.
  private static final Duration TOOK_MAX = Duration.ofMinutes(1);

  private static final Duration AGREED_FOR = Duration.ofHours(1);

  /// Until clocks that differ, or could not be compared, are compared again.
  private static final Duration AGAIN_AFTER = Duration.ofMinutes(1);

  /// By how much wall and monotonic clock may go apart before they are compared again.
  private static final Duration STEP_MAX = Duration.ofMinutes(1);

  /// The year 2001: what a store calls earlier is no time of a clock.
  private static final long DATED_MILLIS_MIN = 1_000_000_000_000L;

  private final Clock clock;
  private final ObjectStore store;
  private final Duration differenceMax;
  private volatile @Nullable Compared last;

  /// One that allows five minutes.
  public StoreClock(World world, ObjectStore store) {
    this(world, store, DIFFERENCE_MAX);
  }

  /// @param store counted and retried for a while; once nothing answers it is as if clocks differed
  /// @param differenceMax what clocks may differ by
  public StoreClock(World world, ObjectStore store, Duration differenceMax) {
    this.clock = world.clock().throughSuspension();
    this.store = store;
    this.differenceMax = differenceMax;
  }

  /// A comparison.
  ///
  /// @param difference in words, when they differ by too much
  private record Compared(
      long nanos, long wallMillis, boolean isAgreed, @Nullable String difference) {
    boolean isOf(Duration lately, Clock clock) {
      long passedNanos = clock.nanoTime() - nanos;
      long stepMillis = clock.epochMillis() - wallMillis - passedNanos / 1_000_000;
      return passedNanos < lately.toNanos() && Math.abs(stepMillis) <= STEP_MAX.toMillis();
    }
  }

  /// Whether something may be deleted because of its age. While it may not, that is logged once,
  /// and found out again by itself.
  public boolean agrees() {
    Compared before = last;
    if (before != null && before.isOf(before.isAgreed ? AGREED_FOR : AGAIN_AFTER, clock)) {
      return before.isAgreed;
    }
    Compared now = compare();
    boolean wasTold = before != null && before.difference != null;
    if (now.difference != null && !wasTold) {
      LOG.warn(
          "nothing is deleted by its age, and lifecycles roll nothing over, while clocks differ: {}",
          now.difference);
    } else if (now.isAgreed && wasTold) {
      LOG.info("the clock agrees with the object store's again");
    }
    // What could not be compared is told no otherwise than before.
    last =
        now.isAgreed || now.difference != null || before == null
            ? now
            : new Compared(now.nanos, now.wallMillis, false, before.difference);
    return now.isAgreed;
  }

  /// How the clocks differed lately, in a sentence; empty when nobody asked for an hour, or the
  /// clock was set meanwhile.
  public Optional<String> difference() {
    Compared now = last;
    return now != null && now.isOf(AGREED_FOR, clock)
        ? Optional.ofNullable(now.difference)
        : Optional.empty();
  }

  /// Whether a store's time is one of a clock.
  public static boolean isDated(Listed listed) {
    return listed.modifiedMillis() >= DATED_MILLIS_MIN;
  }

  private Compared compare() {
    long nanos = clock.nanoTime();
    long fromMillis = clock.epochMillis();
    List<Listed> listed;
    try {
      Version _ = store.put(KEY, ObjectBody.of("clock".getBytes(UTF_8)));
      listed = store.list(KEY, "", 1);
    } catch (StoreException e) {
      LOG.debug("the store's clock can not be read", e);
      return new Compared(clock.nanoTime(), clock.epochMillis(), false, null);
    }
    long nowNanos = clock.nanoTime();
    long toMillis = clock.epochMillis();
    if (listed.isEmpty() || nowNanos - nanos > TOOK_MAX.toNanos()) {
      return new Compared(nowNanos, toMillis, false, null);
    }
    if (!isDated(listed.getFirst())) {
      return new Compared(nowNanos, toMillis, true, null);
    }
    long theirs = listed.getFirst().modifiedMillis();
    long apartMillis = Math.max(fromMillis - theirs, theirs - toMillis);
    String difference =
        apartMillis <= differenceMax.toMillis()
            ? null
            : "this node's is "
                + apartMillis / 1000
                + " s "
                + (theirs < fromMillis ? "ahead of" : "behind")
                + " the object store's: set it right";
    return new Compared(nowNanos, toMillis, difference == null, difference);
  }
}
