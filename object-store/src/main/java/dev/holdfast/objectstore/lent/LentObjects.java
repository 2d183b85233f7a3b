package dev.holdfast.objectstore.lent;

import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store in which objects are read that are lent. The lender is read first, and the object itself
/// when that is gone: a copy that is being made may be seen before it has all its bytes. What is
/// written, listed and deleted is what is there, and plain objects and registers are read as they
/// are: blobs are read by range.
public final class LentObjects extends ForwardingStore {
  private static final Logger LOG = LoggerFactory.getLogger(LentObjects.class);

  private final Lenders lenders;

  public LentObjects(ObjectStore store, Lenders lenders) {
    super(store);
    this.lenders = lenders;
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
  public void copy(String from, String to) throws StoreException {
    Object _ =
        read(
            from,
            lender -> {
              store.copy(lender, to);
              return to;
            });
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
}
