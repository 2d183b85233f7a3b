package dev.holdfast.indexing.pin;

import dev.holdfast.compoundcommit.PointInTimePin;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes the pins of points in time that nobody closed because their nodes died (§6.1). Whoever
/// still has one open holds its blobs by himself.
public final class OverduePins {
  private static final Logger LOG = LoggerFactory.getLogger(OverduePins.class);
  private static final int LIST_MAX = 1000;

  private final World world;
  private final ObjectStore store;
  private final PointInTimePins pins;
  private final StoreClock storeClock;

  /// What a clock here may be ahead of the clock of who wrote a pin.
  private final Duration grace;

  public OverduePins(World world, ObjectStore store, StoreClock storeClock, Duration grace) {
    this.world = world;
    this.store = store;
    this.pins = new PointInTimePins(store);
    this.storeClock = storeClock;
    this.grace = grace;
  }

  /// @return how many were deleted
  public int sweep() throws IOException {
    List<Listed> all = new ArrayList<>();
    String after = "";
    while (true) {
      List<Listed> page = store.list(PointInTimePin.FOLDER, after, LIST_MAX);
      all.addAll(page);
      if (page.size() < LIST_MAX) {
        break;
      }
      after = page.getLast().key();
    }
    long overBefore = world.clock().epochMillis() - grace.toMillis();
    List<String> over = new ArrayList<>();
    for (PointInTimePin pin : pins.read(all).pins()) {
      String key = PointInTimePin.key(pin.id());
      if (pin.untilMillis() < overBefore && isOver(key, overBefore)) {
        over.add(key);
      }
    }
    if (!over.isEmpty() && !storeClock.agrees()) {
      return 0;
    }
    if (!over.isEmpty()) {
      store.deleteAll(over);
      LOG.info("deleted pins of points in time that are over [pins={}]", over.size());
    }
    return over.size();
  }

  /// As it is now: it may have been written anew within the second that a LIST tells apart.
  private boolean isOver(String key, long overBefore) throws IOException {
    Optional<ObjectStore.StoredObject> found = store.get(key);
    return found.isPresent()
        && PointInTimePin.read(key, found.get().bytes()).untilMillis() < overBefore;
  }
}
