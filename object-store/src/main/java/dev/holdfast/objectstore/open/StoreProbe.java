package dev.holdfast.objectstore.open;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.objectstore.InParallel;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Asks a store at start-up whether it keeps the promises that no data loss rests on: of racing
/// creators one wins, of racing swaps one wins, an old version never wins, a write and a delete are
/// seen at once, by gets and by lists, and lists are in order. Many "compatible" stores do not.
///
/// The parts go side by side, and each is some eight requests long: on S3 a quarter of a second and
/// a hundredth of a cent.
public final class StoreProbe {
  /// Where it writes, and deletes what it wrote.
  public static final String FOLDER = "probe/";

  private static final int RACERS = 8;
  private static final int TRIES_MAX = 4;

  /// In the order of their bytes, which is not that of any language: stores that list folders, or
  /// sort as people do, show it here.
  private static final List<String> LISTED =
      List.of("A", "B-", "B.", "B/a", "B0", "Z", "_", "c", "~");

  private final ObjectStore store;
  private final World world;
  private final String folder;

  private StoreProbe(ObjectStore store, World world) {
    this.store = Retrying.atMost(store, world, TRIES_MAX);
    this.world = world;
    folder = FOLDER + world.ids().uuid();
  }

  /// Probes `store` with about sixty small requests and deletes what it wrote.
  ///
  /// @throws StoreException.Denied when the store cheats
  /// @throws StoreException.Unavailable when it can not be reached, or may not be read or written
  public static void check(ObjectStore store, World world) throws StoreException {
    StoreProbe probe = new StoreProbe(store, world);
    try {
      boolean _ = probe.absent(0);
      // Connections are opened here, so that racers race.
      var _ = probe.race(probe::absent);
      InParallel.send(
          world,
          "store-probe",
          List.<StoreRequest<Boolean>>of(probe::creations, probe::swaps, probe::lists));
      probe.cleanUp();
    } catch (StoreException.Unavailable e) {
      throw unavailable(store, e);
    } catch (StoreException.Denied e) {
      probe.cleanUpAfter(e);
      throw e;
    }
  }

  /// Asks `store` for one object, which is not there: whether it answers, and may be read. For a
  /// store that has lately kept all promises when another process asked.
  ///
  /// @throws StoreException.Unavailable when it can not be reached, or may not be read
  public static void reach(ObjectStore store, World world) throws StoreException {
    try {
      boolean _ = new StoreProbe(store, world).absent(0);
    } catch (StoreException.Unavailable e) {
      throw unavailable(store, e);
    }
  }

  private static StoreException.Unavailable unavailable(
      ObjectStore store, StoreException.Unavailable why) {
    return new StoreException.Unavailable(
        why.failure(),
        "the object store ["
            + store.name()
            + "] "
            + (why.failure().isRefusal()
                ? "refuses requests: " + why.getMessage() + " (" + why.failure().advice() + ")"
                : "does not answer: " + why.getMessage()),
        why);
  }

  /// A store that may not be listed says of what is not there that it may not be read.
  private boolean absent(int racer) throws StoreException {
    demand(
        store.get(folder + "/absent-" + racer).isEmpty(),
        "it shows an object that nobody has written");
    return true;
  }

  private boolean creations() throws StoreException {
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
        store.putIfAbsent(key, ObjectBody.of(content("late", 0))) instanceof Creation.AlreadyExists,
        "it lets a writer create an object that exists");
    demand(
        Arrays.equals(read(key).bytes(), stored), "it changes an object that it refuses to create");
    return true;
  }

  private boolean swaps() throws StoreException {
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
    demand(
        Arrays.equals(read(key).bytes(), first), "it does not show the newest write of an object");
    return true;
  }

  private boolean lists() throws StoreException {
    String begin = folder + "/listed/";
    List<StoreRequest<Version>> puts = new ArrayList<>();
    for (String name : LISTED.reversed()) {
      puts.add(() -> store.put(begin + name, ObjectBody.of(content("listed", 0))));
    }
    InParallel.send(world, "store-probe-put", puts);
    List<String> all = names(begin, "", 2 * LISTED.size());
    demand(all.containsAll(LISTED), "its list does not show an object that was written before");
    demand(all.equals(LISTED), "its list is not in the order of the keys' bytes");
    int half = LISTED.size() / 2;
    demand(
        names(begin, LISTED.get(half), 2).equals(LISTED.subList(half + 1, half + 3)),
        "its list does not begin behind the key that it is asked to begin behind");
    store.deleteAll(List.of(begin + LISTED.get(half), begin + LISTED.getLast()));
    List<String> left = names(begin, "", 2 * LISTED.size());
    demand(
        !left.contains(LISTED.get(half)) && !left.contains(LISTED.getLast()),
        "its list shows an object that was deleted before");
    demand(
        store.get(begin + LISTED.get(half)).isEmpty(),
        "it shows an object that was deleted before");
    return true;
  }

  private List<String> names(String begin, String after, int max) throws StoreException {
    return store.list(begin, after.isEmpty() ? "" : begin + after, max).stream()
        .map(listed -> listed.key().substring(begin.length()))
        .toList();
  }

  private void cleanUp() throws StoreException {
    List<String> keys = new ArrayList<>(List.of(folder + "/created", folder + "/register"));
    LISTED.forEach(name -> keys.add(folder + "/listed/" + name));
    store.deleteAll(keys);
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
    List<StoreRequest<T>> requests = new ArrayList<>();
    for (int i = 0; i < RACERS; i++) {
      int number = i;
      requests.add(() -> racer.run(number));
    }
    return InParallel.send(world, "store-probe-race", requests);
  }

  private interface Racer<T> {
    T run(int number) throws StoreException;
  }
}
