package dev.holdfast.scrub;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.scrub.ObjectCheck.Checked;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Checks the objects of a store in the order of their keys, all or some of them.
public final class StoreScan {
  private static final int LIST_MAX = 1000;

  private final World world;
  private final ObjectStore store;
  private final ObjectCheck check;
  private final double sample;

  /// @param bytesASecond that are read at most; 0 for no limit
  /// @param sample the share of objects that are checked, chosen by chance
  public StoreScan(World world, ObjectStore store, double bytesASecond, double sample) {
    this.world = world;
    this.store = store;
    this.check = new ObjectCheck(store, new ByteRate(world, bytesASecond));
    this.sample = sample;
  }

  /// Hears of each object.
  public interface Listener {
    /// What came of an object that was there.
    void checked(Listed object, Checked result) throws IOException;

    /// Whether to go on behind an object that was checked, left out, or is gone.
    default boolean passed(String key) throws IOException {
      return true;
    }
  }

  /// Checks objects whose key is greater than `after`, to the end or until the listener has enough.
  ///
  /// @param after a key; empty for all objects
  /// @return whether the end was reached
  public boolean run(String after, Listener listener) throws IOException, InterruptedException {
    String last = after;
    while (true) {
      List<Listed> page = store.list("", last, LIST_MAX);
      for (Listed object : page) {
        if (sample >= 1 || world.chance().nextDouble() < sample) {
          Optional<Checked> result = check.check(object);
          if (result.isPresent()) {
            listener.checked(object, result.get());
          }
        }
        if (!listener.passed(object.key())) {
          return false;
        }
      }
      if (page.size() < LIST_MAX) {
        return true;
      }
      last = page.getLast().key();
    }
  }
}
