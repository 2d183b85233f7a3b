package dev.holdfast.scrub;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the whole store of a cluster, slowly and again and again, and says which objects are not
/// what was written: damage of what nobody reads is found while other copies may still exist. The
/// leader does it.
public final class Scrub {
  private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);

  /// How often it is looked whether a round is due.
  private static final Duration LOOK = Duration.ofSeconds(30);

  /// What a new leader does first is not this.
  private static final Duration DELAY = Duration.ofMinutes(10);

  private final World world;
  private final StoreScan scan;
  private final BooleanSupplier leads;
  private final ScrubConfig config;
  private volatile ScrubReport report = ScrubReport.NONE;

  // Of the one task.
  private @Nullable Long nextNanos;

  private Duration afterFailure = DELAY;

  /// @param store counted as scrub
  /// @param leads whether this node leads the cluster now
  public Scrub(World world, ObjectStore store, BooleanSupplier leads, ScrubConfig config) {
    this.world = world;
    this.scan = new StoreScan(world, store, (double) config.rate().bytes(), 1);
    this.leads = leads;
    this.config = config;
  }

  /// Scrubs while this node leads, until the process ends.
  public void start() {
    if (config.rate().bytes() > 0) {
      var _ = world.tasks().repeat("scrub", LOOK, this::tick);
    }
  }

  public ScrubReport report() {
    return report;
  }

  private void tick() throws InterruptedException {
    long nowNanos = world.clock().nanoTime();
    if (!leads.getAsBoolean()) {
      nextNanos = null;
    } else if (nextNanos == null) {
      nextNanos = nowNanos + DELAY.toNanos();
    } else if (nowNanos - nextNanos >= 0) {
      nextNanos = nowNanos + config.every().toNanos();
      try {
        round();
        afterFailure = DELAY;
      } catch (IOException | RuntimeException | Error e) {
        Duration pause = pauseAfterFailure();
        nextNanos = world.clock().nanoTime() + pause.toNanos();
        LOG.warn(
            "a scrub of the store was interrupted, the next goes over it again [after={}]",
            pause,
            e);
      }
    }
  }

  /// What failed once is not left alone for a week; what fails each time is not read all the time.
  private Duration pauseAfterFailure() {
    Duration pause = afterFailure.compareTo(config.every()) < 0 ? afterFailure : config.every();
    afterFailure = pause.multipliedBy(2);
    return pause;
  }

  /// From some place on, so that leaders that change often check all of it in the end.
  void round() throws IOException, InterruptedException {
    String begin = String.format(Locale.ROOT, "shards/%04x", world.chance().nextInt(1 << 16));
    SortedMap<String, String> damaged = new TreeMap<>();
    if (scan.run(begin, listener(damaged, ""))) {
      boolean _ = scan.run("", listener(damaged, begin));
      if (leads.getAsBoolean()) {
        report = report.withRound(damaged);
      }
    }
  }

  /// @param until the first key that is not wanted; empty for none
  private StoreScan.Listener listener(SortedMap<String, String> damaged, String until) {
    return new StoreScan.Listener() {
      @Override
      public void checked(Listed object, ObjectCheck.Checked result) {
        report = report.with(object.key(), object.length(), result);
        for (CorruptObjectException damage : result.damages()) {
          damaged.put(object.key(), String.valueOf(damage.getMessage()));
          LOG.error("the scrub found damage: {}", damage.getMessage());
        }
      }

      @Override
      public boolean passed(String key) {
        return leads.getAsBoolean() && (until.isEmpty() || key.compareTo(until) < 0);
      }
    };
  }
}
