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

/// A store that remembers which keys were written and listed, and may be told to make no more
/// copies, or to let nobody read the end of an object for a while.
final class CountingStore implements ObjectStore {
  private final ObjectStore store;
  private final List<String> written = new CopyOnWriteArrayList<>();

  private final List<String> listed = new CopyOnWriteArrayList<>();

  private final AtomicInteger readersHeld = new AtomicInteger();

  private volatile CountDownLatch reading = new CountDownLatch(0);

  private final AtomicInteger copiesLeft = new AtomicInteger(Integer.MAX_VALUE);

  CountingStore(ObjectStore store) {
    this.store = store;
  }

  /// From now on so many copies are made, and then none.
  void copiesLeft(int copies) {
    copiesLeft.set(copies);
  }

  /// From now on whoever reads the end of an object waits until the latch is at zero.
  void holdReaders(CountDownLatch until) {
    reading = until;
  }

  /// Who waits now.
  int readersHeld() {
    return readersHeld.get();
  }

  long lists(String prefix) {
    return listed.stream().filter(key -> key.startsWith(prefix)).count();
  }

  long puts() {
    return written.size();
  }

  long puts(String prefix) {
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
      reading.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Unavailable("interrupted", e);
    } finally {
      readersHeld.decrementAndGet();
    }
    return store.getSuffix(key, length);
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    listed.add(prefix);
    return store.list(prefix, after, max);
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
