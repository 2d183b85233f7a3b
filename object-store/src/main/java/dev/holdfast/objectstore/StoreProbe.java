package dev.holdfast.objectstore;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.world.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Asks a store at start-up whether it keeps the promises that no data loss rests on: of racing
/// creators one wins, of racing swaps one wins, an old version never wins, a write is seen at once.
/// Many "compatible" stores do not.
public final class StoreProbe {
  private static final int RACERS = 4;
  private static final int TRIES_MAX = 4;

  private final ObjectStore store;
  private final World world;
  private final String folder;

  private StoreProbe(ObjectStore store, World world) {
    this.store = Retrying.atMost(store, world, TRIES_MAX);
    this.world = world;
    folder = "probe/" + world.ids().uuid();
  }

  /// Probes `store` with about twenty small requests and deletes what it wrote.
  ///
  /// @throws StoreException.Denied when the store cheats, or may not be read or written
  /// @throws StoreException.Unavailable when it can not be reached
  public static void check(ObjectStore store, World world) throws StoreException {
    StoreProbe probe = new StoreProbe(store, world);
    try {
      probe.creations();
      probe.swaps();
      probe.cleanUp();
    } catch (StoreException.Unavailable e) {
      throw new StoreException.Unavailable(
          "the object store [" + store.name() + "] does not answer: " + e.getMessage(), e);
    } catch (StoreException.Denied e) {
      probe.cleanUpAfter(e);
      throw e;
    }
  }

  private void creations() throws StoreException {
    String key = folder + "/created";
    List<Creation> creations =
        race(racer -> store.putIfAbsent(key, ObjectBody.of(content("creator", racer))));
    long created = creations.stream().filter(Creation.Created.class::isInstance).count();
    demand(created >= 1, "it answers that an object exists which nobody has created");
    demand(created == 1, "it lets two writers create the same object");
    byte[] stored = read(key).bytes();
    boolean isWinners = false;
    for (int racer = 0; racer < RACERS; racer++) {
      isWinners |=
          creations.get(racer) instanceof Creation.Created
              && Arrays.equals(stored, content("creator", racer));
    }
    demand(isWinners, "an object does not hold what its creator wrote");
    demand(
        store.list(folder + "/", "", RACERS).stream().anyMatch(listed -> listed.key().equals(key)),
        "its list does not show an object that was written before");
  }

  private void swaps() throws StoreException {
    String key = folder + "/register";
    byte[] first = content("first", 0);
    Version before =
        switch (store.compareAndSet(key, null, first)) {
          case Swap.Swapped swapped -> swapped.version();
          case Swap.Conflict _ -> throw cheat("it refuses to create an object that is not there");
        };
    demand(read(key).version().equals(before), "it tells readers another version than the writer");
    List<Swap> swaps = race(racer -> store.compareAndSet(key, before, content("swapper", racer)));
    long swapped = swaps.stream().filter(Swap.Swapped.class::isInstance).count();
    demand(swapped >= 1, "it refuses a compare-and-set of the newest version");
    demand(swapped == 1, "it lets two writers replace the same version of an object");
    StoredObject now = read(key);
    demand(
        swaps.stream().anyMatch(swap -> swap.equals(new Swap.Swapped(now.version()))),
        "an object does not have the version of the last write");
    demand(
        store.compareAndSet(key, now.version(), first) instanceof Swap.Swapped,
        "it refuses a compare-and-set of the newest version");
    demand(
        store.compareAndSet(key, before, content("late", 0)) instanceof Swap.Conflict,
        "it lets a writer replace an object of which it knows an old version only");
    demand(
        store.compareAndSet(key, null, content("late", 1)) instanceof Swap.Conflict,
        "it lets a writer create an object that exists");
  }

  private void cleanUp() throws StoreException {
    store.deleteAll(List.of(folder + "/created", folder + "/register"));
  }

  private void cleanUpAfter(StoreException.Denied because) {
    try {
      cleanUp();
    } catch (StoreException e) {
      because.addSuppressed(e);
    }
  }

  private StoredObject read(String key) throws StoreException {
    return store
        .get(key)
        .orElseThrow(() -> cheat("it does not show an object that was written before"));
  }

  private void demand(boolean isKept, String otherwise) throws StoreException {
    if (!isKept) {
      throw cheat(otherwise);
    }
  }

  private StoreException.Denied cheat(String what) {
    return new StoreException.Denied(
        "the object store [" + store.name() + "] can not be used: " + what, null);
  }

  private static byte[] content(String kind, int racer) {
    return (kind + " " + racer).getBytes(UTF_8);
  }

  /// The answers of all racers, in their order.
  private <T> List<T> race(Racer<T> racer) throws StoreException {
    List<Request<T>> requests = new ArrayList<>();
    for (int i = 0; i < RACERS; i++) {
      int number = i;
      requests.add(() -> racer.run(number));
    }
    return InParallel.send(world.tasks(), "store-probe", requests);
  }

  private interface Racer<T> {
    T run(int number) throws StoreException;
  }
}
