package dev.holdfast.simulation.cluster;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A store whose every request goes through one function, which may watch, delay, change or refuse
/// it.
final class Intercepted implements ObjectStore {
  private final ObjectStore store;
  private final Interceptor interceptor;

  Intercepted(ObjectStore store, Interceptor interceptor) {
    this.store = store;
    this.interceptor = interceptor;
  }

  /// What is asked of the store.
  enum Verb {
    PUT,
    PUT_IF_ABSENT,
    COMPARE_AND_SET,
    GET,
    GET_RANGE,
    GET_SUFFIX,
    LIST,
    COPY,
    DELETE;

    boolean isWrite() {
      return this == PUT
          || this == PUT_IF_ABSENT
          || this == COMPARE_AND_SET
          || this == COPY
          || this == DELETE;
    }
  }

  /// A request.
  ///
  /// @param keys of the objects; the prefix of a list
  /// @param body of a put
  record Call(Verb verb, List<String> keys, @Nullable ObjectBody body) {
    String key() {
      return keys.getFirst();
    }
  }

  /// Does a request, or something else.
  interface Interceptor {
    <T> T around(Call call, Request<T> request) throws StoreException;
  }

  /// The request itself.
  interface Request<T> {
    T send() throws StoreException;
  }

  private <T> T send(Verb verb, String key, @Nullable ObjectBody body, Request<T> request)
      throws StoreException {
    return interceptor.around(new Call(verb, List.of(key), body), request);
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return send(Verb.PUT, key, body, () -> store.put(key, body));
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    return send(Verb.PUT_IF_ABSENT, key, body, () -> store.putIfAbsent(key, body));
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    return send(Verb.COMPARE_AND_SET, key, null, () -> store.compareAndSet(key, expected, bytes));
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    return send(Verb.GET, key, null, () -> store.get(key));
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return send(Verb.GET_RANGE, key, null, () -> store.getRange(key, offset, length));
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return send(Verb.GET_SUFFIX, key, null, () -> store.getSuffix(key, length));
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    return send(Verb.LIST, prefix, null, () -> store.list(prefix, after, max));
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    boolean _ =
        send(
            Verb.COPY,
            to,
            null,
            () -> {
              store.copy(from, to);
              return true;
            });
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    List<String> all = List.copyOf(keys);
    boolean _ =
        interceptor.around(
            new Call(Verb.DELETE, all, null),
            () -> {
              store.deleteAll(all);
              return true;
            });
  }

  @Override
  public void close() {}
}
