package dev.holdfast.search.held;

import dev.holdfast.compoundcommit.PointInTimePin;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes into pins for how much longer they are wanted, and deletes those that are over. A pin is
/// written for longer than was asked, so that points in time that are searched again and again cost
/// a PUT now and then and none a search.
public final class PinKeeping {
  /// How much longer a pin stays than its point in time was asked to be kept.
  static final Duration SLACK = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(PinKeeping.class);

  private final World world;
  private final PinStore pins;

  public PinKeeping(World world, PinStore pins) {
    this.world = world;
    this.pins = pins;
  }

  /// Until when a pin is written to be kept.
  public static long untilMillis(long nowMillis, long keepMillis) {
    return nowMillis + keepMillis + SLACK.toMillis();
  }

  /// Writes the pins anew that would be over too soon.
  void extend(Collection<HeldCommit> held) {
    for (HeldCommit commit : held) {
      HeldCommit.Pin pin = commit.pin();
      long nowMillis = world.clock().epochMillis();
      long leftMillis = commit.leftMillis(world.clock().nanoTime());
      if (pin != null
          && pin.isKeptHere()
          && leftMillis > 0
          && nowMillis + leftMillis > pin.untilMillis()) {
        extend(commit, pin, untilMillis(nowMillis, leftMillis));
      }
    }
  }

  private void extend(HeldCommit commit, HeldCommit.Pin pin, long untilMillis) {
    try {
      Optional<PointInTimePin> stored = pins.find(pin.id());
      if (stored.isPresent()) { // else it was closed just now, or the sweep thought it over
        pins.put(stored.get().until(untilMillis));
      }
      commit.pinned(new HeldCommit.Pin(pin.id(), pin.isKeptHere(), untilMillis));
    } catch (IOException e) {
      LOG.info("a point in time's pin could not be extended, tried again [pin={}]", pin.id(), e);
    }
  }

  /// Its point in time is over: nobody asked for it any more, here. A pin that another node wrote
  /// since is that node's.
  void delete(HeldCommit.Pin pin) {
    try {
      Optional<PointInTimePin> stored = pins.find(pin.id());
      if (stored.isPresent() && stored.get().untilMillis() == pin.untilMillis()) {
        pins.delete(pin.id());
      }
    } catch (IOException e) {
      LOG.info("a pin that is over is left to the sweep [pin={}]", pin.id(), e);
    }
  }
}
