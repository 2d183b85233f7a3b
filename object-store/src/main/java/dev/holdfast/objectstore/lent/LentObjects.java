package dev.holdfast.objectstore.lent;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreTrouble;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store in which objects are read that are lent. The lender is read first, and the object itself
/// when that is gone: a copy that is being made may be seen before it has all its bytes. What is
/// written, listed and deleted is what is there.
public final class LentObjects implements ObjectStore {
  private static final Logger LOG = LoggerFactory.getLogger(LentObjects.class);

  private final ObjectStore store;
  private final Lenders lenders;

  public LentObjects(ObjectStore store, Lenders lenders) {
    this.store = store;
    this.lenders = lenders;
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return store.put(key, body);
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    return store.putIfAbsent(key, body);
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    return store.compareAndSet(key, expected, bytes);
  }

  /// Of plain objects and registers as they are: blobs are read by range.
  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    return store.get(key);
  }

  /// One read of an object.
  @FunctionalInterface
  private interface Reading<T> {
    T of(String key) throws StoreException;
  }

  private <T> T read(String key, Reading<T> reading) throws StoreException {
    Optional<String> lender = lenders.of(key);
    if (lender.isPresent()) {
      try {
        return reading.of(lender.get());
      } catch (StoreException.NotFound e) {
        LOG.debug("a lender is gone, so the copy is there [key={}, lender={}]", key, lender.get());
      }
    }
    return reading.of(key);
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return read(key, from -> store.getRange(from, offset, length));
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return read(key, from -> store.getSuffix(from, length));
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    return store.list(prefix, after, max);
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    Object _ =
        read(
            from,
            lender -> {
              store.copy(lender, to);
              return to;
            });
  }

  @Override
  public void changeClass(String key, String storageClass) throws StoreException {
    store.changeClass(key, storageClass);
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    store.deleteAll(keys);
  }

  /// A file is there with all its bytes, or not at all.
  @Override
  public Optional<Path> localFile(String key) {
    Optional<Path> own = store.localFile(key);
    if (own.isPresent()) {
      return own;
    }
    try {
      Optional<Path> lent = lenders.of(key).flatMap(store::localFile);
      return lent.isPresent() ? lent : store.localFile(key); // it may have been copied meanwhile
    } catch (StoreException e) {
      LOG.debug("who lends an object is not known now, it is read by range [key={}]", key, e);
      return Optional.empty();
    }
  }

  @Override
  public Optional<String> lender(String key) throws StoreException {
    return lenders.of(key);
  }

  @Override
  public Optional<StoreTrouble> trouble(String prefix) {
    return store.trouble(prefix);
  }

  @Override
  public Optional<StoreTrouble> longestTrouble() {
    return store.longestTrouble();
  }

  @Override
  public void close() {
    store.close();
  }
}
