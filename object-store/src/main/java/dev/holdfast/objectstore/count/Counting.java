package dev.holdfast.objectstore.count;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Parts;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.world.trace.Cause;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// A store that counts what is asked of it, for one purpose. Put it below `Retrying`, so that every
/// try counts: the provider bills them all.
public final class Counting implements ObjectStore {
  private final ObjectStore store;
  private final Purpose purpose;
  private final StoreCounters counters;

  public Counting(ObjectStore store, Purpose purpose, StoreCounters counters) {
    this.store = store;
    this.purpose = purpose;
    this.counters = counters;
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return writing(RequestKind.PUT, key, body.length(), () -> store.put(key, body));
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    return writing(RequestKind.PUT, key, body.length(), () -> store.putIfAbsent(key, body));
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    return writing(
        RequestKind.PUT, key, bytes.length, () -> store.compareAndSet(key, expected, bytes));
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    return reading(
        RequestKind.GET,
        key,
        () -> store.get(key),
        object -> object.map(o -> (long) o.bytes().length).orElse(0L));
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return reading(RequestKind.GET, key, () -> store.getRange(key, offset, length), b -> b.length);
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return reading(
        RequestKind.GET, key, () -> store.getSuffix(key, length), suffix -> suffix.bytes().length);
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    StoreCounters.Cell cell = counters.cell(purpose, RequestKind.LIST);
    List<Listed> listed = counted(cell, () -> store.list(prefix, after, max));
    // Providers answer at most a thousand keys a request.
    counters.count(cell, prefix, 1 + Math.max(0, listed.size() - 1) / 1000);
    return listed;
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    writing(
        RequestKind.COPY,
        to,
        0,
        () -> {
          store.copy(from, to);
          return to;
        });
  }

  /// A purpose of its own, whoever asks.
  @Override
  public void changeClass(String key, String storageClass) throws StoreException {
    StoreCounters.Cell cell = counters.cell(Purpose.STORAGE_CLASS, RequestKind.TRANSITION);
    counters.count(cell, key, 1);
    counted(
        cell,
        () -> {
          store.changeClass(key, storageClass);
          return key;
        });
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    if (keys.isEmpty()) {
      return;
    }
    StoreCounters.Cell cell = counters.cell(purpose, RequestKind.DELETE);
    counters.count(cell, keys.iterator().next(), 1 + (keys.size() - 1) / 1000);
    counted(
        cell,
        () -> {
          store.deleteAll(keys);
          return keys;
        });
  }

  @Override
  public Optional<Path> localFile(String key) {
    return store.localFile(key);
  }

  @Override
  public Optional<String> lender(String key) throws StoreException {
    return store.lender(key);
  }

  @Override
  public void close() {
    store.close();
  }

  private <T> T writing(RequestKind kind, String key, long bytes, StoreRequest<T> request)
      throws StoreException {
    StoreCounters.Cell cell = counters.cell(purpose, kind);
    counters.count(cell, key, Parts.requests(bytes));
    cell.bytesWritten.add(bytes);
    return counted(cell, request);
  }

  private <T> T reading(
      RequestKind kind, String key, StoreRequest<T> request, ToLongFunction<T> bytes)
      throws StoreException {
    StoreCounters.Cell cell = counters.cell(purpose, kind);
    counters.count(cell, key, 1);
    T answer = counted(cell, request);
    counters.read(cell, key, bytes.applyAsLong(answer));
    return answer;
  }

  private <T> T counted(StoreCounters.Cell cell, StoreRequest<T> request) throws StoreException {
    return Cause.<T, StoreException, RuntimeException>call(cell.name, () -> timed(cell, request));
  }

  private <T> T timed(StoreCounters.Cell cell, StoreRequest<T> request) throws StoreException {
    long startNanos = counters.nanoTime();
    try {
      return request.send();
    } catch (StoreException.NotFound e) {
      throw e;
    } catch (StoreException e) {
      cell.errors.increment();
      throw e;
    } finally {
      cell.seconds.recordNanos(counters.nanoTime() - startNanos);
    }
  }
}
