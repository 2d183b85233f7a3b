package dev.holdfast.indexing.repository;

import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The store that a repository lies in. Who works with the repository meets the store's own errors;
/// their cause is what a client is told of them: which repository that is, and what ails its store.
final class StoreOfRepository extends ForwardingStore {
  private final String repository;

  /// @param repository its name
  StoreOfRepository(ObjectStore store, String repository) {
    super(store);
    this.repository = repository;
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return named(() -> super.put(key, body));
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    return named(() -> super.putIfAbsent(key, body));
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    return named(() -> super.compareAndSet(key, expected, bytes));
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    return named(() -> super.get(key));
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return named(() -> super.getRange(key, offset, length));
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return named(() -> super.getSuffix(key, length));
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    return named(() -> super.list(prefix, after, max));
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    String _ =
        named(() -> {
          super.copy(from, to);
          return to;
        });
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    Collection<String> _ =
        named(() -> {
          super.deleteAll(keys);
          return keys;
        });
  }

  private <T> T named(StoreRequest<T> request) throws StoreException {
    try {
      return request.send();
    } catch (StoreException.Unavailable e) {
      String message = String.valueOf(e.getMessage());
      throw new StoreException.Unavailable(
          e.failure(),
          message,
          told(
              e.failure().isRefusal()
                  ? "its store refuses: " + message + " (" + e.failure().advice() + ")"
                  : "its store does not answer: " + message,
              e));
    } catch (StoreException.Denied e) {
      if (CorruptObjectException.in(e) != null) {
        throw e; // it is the object that is ill, and it has a name of its own
      }
      String message = String.valueOf(e.getMessage());
      throw new StoreException.Denied(message, told("its store cannot be used: " + message, e));
    }
  }

  private Refusal told(String why, StoreException cause) {
    return new Refusal(ErrorType.REPOSITORY_FAILURE, "[" + repository + "] " + why, cause);
  }
}
