package dev.holdfast.indexing;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A store that remembers which keys were written and which were asked for, and may be told to make
/// no more copies, or to let nobody list some or read the end of an object for a while.
public final class CountingStore implements ObjectStore {
  private final ObjectStore store;
  private final List<String> written = new CopyOnWriteArrayList<>();

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> listed = new CopyOnWriteArrayList<>();
  private final List<String> got = new CopyOnWriteArrayList<>();

  private final AtomicInteger readersHeld = new AtomicInteger();

  private volatile CountDownLatch reading = new CountDownLatch(0);

  private volatile Listing listing = new Listing("", new CountDownLatch(0));

  private record Listing(String prefix, CountDownLatch until) {}

  /// What begins like that is not created until then.
  private volatile Listing creations = new Listing("", new CountDownLatch(0));

  private final AtomicInteger creationsHeld = new AtomicInteger();

  /// Blobs are not deleted until then.
  private volatile CountDownLatch deletions = new CountDownLatch(0);

  private final AtomicInteger deletionsHeld = new AtomicInteger();

  private final AtomicInteger copiesLeft = new AtomicInteger(Integer.MAX_VALUE);

  public CountingStore(ObjectStore store) {
    this.store = store;
  }

  /// From now on so many copies are made, and then none.
  public void copiesLeft(int copies) {
    copiesLeft.set(copies);
  }

  /// From now on whoever reads the end of an object waits until the latch is at zero.
  public void holdReaders(CountDownLatch until) {
    reading = until;
  }

  /// From now on whoever lists what begins like that waits until the latch is at zero.
  public void holdLists(String prefix, CountDownLatch until) {
    listing = new Listing(prefix, until);
  }

  /// From now on whoever creates what begins like that waits until the latch is at zero.
  public void holdCreations(String prefix, CountDownLatch until) {
    creations = new Listing(prefix, until);
  }

  /// From now on whoever deletes blobs waits until the latch is at zero.
  public void holdDeletions(CountDownLatch until) {
    deletions = until;
  }

  /// Who waits now to delete blobs.
  public int deletionsHeld() {
    return deletionsHeld.get();
  }

  /// Who waits now to create something.
  public int creationsHeld() {
    return creationsHeld.get();
  }

  /// Who waits now for the end of an object.
  public int readersHeld() {
    return readersHeld.get();
  }

  /// How often somebody asked for no more than the first key that begins like that.
  public long asks(String prefix) {
    return asked.stream().filter(prefix::equals).count();
  }

  /// How often somebody began to list what begins like that.
  long lists(String prefix) {
    return listed.stream().filter(prefix::equals).count();
  }

  /// How often somebody asked for that object, whole.
  public long gets(String key) {
    return got.stream().filter(key::equals).count();
  }

  long puts() {
    return written.size();
  }

  public long puts(String prefix) {
    return written.stream().filter(key -> key.startsWith(prefix)).count();
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    written.add(key);
    return store.put(key, body);
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    Listing held = creations;
    if (key.startsWith(held.prefix)) {
      creationsHeld.incrementAndGet();
      try {
        await(held.until);
      } finally {
        creationsHeld.decrementAndGet();
      }
    }
    written.add(key);
    return store.putIfAbsent(key, body);
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    written.add(key);
    return store.compareAndSet(key, expected, bytes);
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    got.add(key);
    return store.get(key);
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return store.getRange(key, offset, length);
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    readersHeld.incrementAndGet();
    try {
      await(reading);
    } finally {
      readersHeld.decrementAndGet();
    }
    return store.getSuffix(key, length);
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    if (max == 1) {
      asked.add(prefix);
    }
    if (after.isEmpty()) {
      listed.add(prefix);
    }
    Listing held = listing;
    if (prefix.startsWith(held.prefix)) {
      await(held.until);
    }
    return store.list(prefix, after, max);
  }

  private static void await(CountDownLatch latch) throws StoreException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Unavailable("interrupted", e);
    }
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    if (copiesLeft.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
      throw new StoreException.Unavailable("no more copies", null);
    }
    written.add(to);
    store.copy(from, to);
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    if (keys.stream().anyMatch(key -> key.startsWith("shards/"))) {
      deletionsHeld.incrementAndGet();
      try {
        await(deletions);
      } finally {
        deletionsHeld.decrementAndGet();
      }
    }
    store.deleteAll(keys);
  }

  @Override
  public Optional<Path> localFile(String key) {
    return store.localFile(key);
  }

  @Override
  public void close() {
    store.close();
  }
}
