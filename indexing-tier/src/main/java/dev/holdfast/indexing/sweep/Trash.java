package dev.holdfast.indexing.sweep;

import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where the sweep puts what it takes away before it is gone for good (decision 017): `trash/<epoch
/// milliseconds, 15 digits>/<key>`, so that copying it back to its key undoes all.
public final class Trash {
  static final String FOLDER = "trash/";
  private static final Logger LOG = LoggerFactory.getLogger(Trash.class);
  private static final int TIME_DIGITS = 15;

  /// The object was where the group says. What others put there is not looked at.
  private static final Pattern KEY = Pattern.compile(FOLDER + "[0-9]{" + TIME_DIGITS + "}/(.+)");

  private static final int LIST_MAX = 1000;

  private final World world;
  private final ObjectStore store;
  private final Ownership ownership;
  private final StoreClock storeClock;
  private final Duration kept;
  private long objects;

  /// @param kept how long
  Trash(World world, ObjectStore store, Ownership ownership, StoreClock storeClock, Duration kept) {
    this.world = world;
    this.store = store;
    this.ownership = ownership;
    this.storeClock = storeClock;
    this.kept = kept;
  }

  /// How many objects lay in it at the last sweep.
  long objects() {
    return objects;
  }

  /// Whether what is put into it now gets a time by which others may throw it away.
  boolean mayTake() {
    return storeClock.agrees();
  }

  /// Copies objects into the trash, then deletes them where they were. One that is not there any
  /// more was deleted by the last owner of its shard.
  ///
  /// @return false when the lease does not name this node any more: nothing was deleted
  boolean take(Collection<String> keys) throws IOException {
    String folder =
        String.format(
            Locale.ROOT, "%s%0" + TIME_DIGITS + "d/", FOLDER, world.clock().epochMillis());
    List<String> copied = new ArrayList<>();
    for (String key : keys) {
      try {
        store.copy(key, folder + key);
        copied.add(key);
      } catch (StoreException.NotFound e) {
        LOG.debug("it is gone already [key={}]", key, e);
      }
    }
    if (!ownership.isStillMember()) {
      return false;
    }
    if (!copied.isEmpty()) {
      store.deleteAll(copied);
    }
    return true;
  }

  /// Copies what lies in it of one index back to where it was.
  public static long restore(ObjectStore store, String uuid) throws IOException {
    long restored = 0;
    String after = "";
    while (true) {
      List<Listed> page = store.list(FOLDER, after, LIST_MAX);
      for (Listed listed : page) {
        Matcher thrown = KEY.matcher(listed.key());
        if (thrown.matches() && thrown.group(1).contains("/" + uuid + "/")) {
          store.copy(listed.key(), thrown.group(1));
          restored++;
        }
      }
      if (page.size() < LIST_MAX) {
        return restored;
      }
      after = page.getLast().key();
    }
  }

  /// Deletes what has lain there for long enough, if the store agrees about the time.
  ///
  /// @return how many objects
  long sweep() throws IOException {
    String newest =
        String.format(
            Locale.ROOT,
            "%s%0" + TIME_DIGITS + "d/",
            FOLDER,
            world.clock().epochMillis() - kept.toMillis());
    long left = 0;
    long deleted = 0;
    String after = "";
    while (true) {
      List<Listed> page = store.list(FOLDER, after, LIST_MAX);
      List<String> over = new ArrayList<>();
      for (Listed listed : page) {
        if (!KEY.matcher(listed.key()).matches()) {
          continue;
        }
        if (listed.key().compareTo(newest) < 0) {
          over.add(listed.key());
        } else {
          left++;
        }
      }
      if (!over.isEmpty() && !storeClock.agrees()) {
        left += over.size();
      } else if (!over.isEmpty()) {
        if (!ownership.isStillMember()) {
          return deleted;
        }
        store.deleteAll(over);
        deleted += over.size();
      }
      if (page.size() < LIST_MAX) {
        break;
      }
      after = page.getLast().key();
    }
    objects = left;
    if (deleted > 0) {
      LOG.info("emptied the trash [objects={}, left={}]", deleted, left);
    }
    return deleted;
  }
}
