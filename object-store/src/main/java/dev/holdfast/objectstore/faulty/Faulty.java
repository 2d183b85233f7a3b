package dev.holdfast.objectstore.faulty;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.world.Chance;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A store that fails as real ones do: slow, refused, or done with the answer lost. It never breaks
/// what stores promise: reads are not stale and conditions hold. Its chances are the world's, so a
/// seeded world repeats its failures.
public final class Faulty implements ObjectStore {
  /// The standard normal quantile of 0.99.
  private static final double P99_SIGMAS = 2.326;

  private final ObjectStore store;
  private final World world;
  private final AtomicInteger burstLeft = new AtomicInteger();
  private volatile StoreFaults faults;
  private volatile boolean isOutage;
  private volatile @Nullable Refusing refusing;

  /// @param isAfter refuses when the store has done it
  /// @param isOfDeletes refuses nothing else
  private record Refusing(
      StoreFailure failure, String prefix, boolean isAfter, boolean isOfDeletes) {
    boolean isBefore(RequestKind kind, String key) {
      return !isAfter && (!isOfDeletes || kind == RequestKind.DELETE) && key.startsWith(prefix);
    }
  }

  public Faulty(ObjectStore store, World world, StoreFaults faults) {
    this.store = store;
    this.world = world;
    this.faults = faults;
  }

  /// From now on, these faults.
  public void faults(StoreFaults faults) {
    this.faults = faults;
    burstLeft.set(0);
  }

  /// Whether from now on every request fails.
  public void outage(boolean isOutage) {
    this.isOutage = isOutage;
  }

  /// From now on every request for a key that begins so is refused, by lack of permission or the
  /// like; null ends it.
  public void refuse(@Nullable StoreFailure failure, String prefix) {
    refusing = failure == null ? null : new Refusing(failure, prefix, false, false);
  }

  /// From now on every write is done, and then refused.
  public void refuseAfter(StoreFailure failure) {
    refusing = new Refusing(failure, "", true, false);
  }

  /// From now on whatever is to be deleted stays, by lack of permission or a lock.
  public void refuseDeletes(StoreFailure failure) {
    refusing = new Refusing(failure, "", false, true);
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return written(key, () -> store.put(key, body));
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    return written(key, () -> store.putIfAbsent(key, body));
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    before(RequestKind.PUT, key);
    Swap swap = store.compareAndSet(key, expected, bytes);
    if (isAnswerLost()) {
      String attempt =
          switch (swap) {
            case Swap.Swapped swapped -> swapped.version().token();
            case Swap.Conflict _ -> null;
          };
      StoreException.Unavailable lost = lost();
      throw attempt == null ? lost : lost.ofAttempt(attempt);
    }
    return swap;
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    return read(RequestKind.GET, key, () -> store.get(key));
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return read(RequestKind.GET, key, () -> store.getRange(key, offset, length));
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return read(RequestKind.GET, key, () -> store.getSuffix(key, length));
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    return read(RequestKind.LIST, prefix, () -> store.list(prefix, after, max));
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    written(
        to,
        () -> {
          store.copy(from, to);
          return to;
        });
  }

  @Override
  public void changeClass(String key, String storageClass) throws StoreException {
    written(
        key,
        () -> {
          store.changeClass(key, storageClass);
          return key;
        });
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    written(
        RequestKind.DELETE,
        keys.isEmpty() ? "" : keys.iterator().next(),
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
  public void close() {
    store.close();
  }

  private <T> T written(String key, StoreRequest<T> request) throws StoreException {
    return written(RequestKind.PUT, key, request);
  }

  private <T> T written(RequestKind kind, String key, StoreRequest<T> request)
      throws StoreException {
    before(kind, key);
    T answer = request.send();
    if (isAnswerLost()) {
      throw lost();
    }
    return answer;
  }

  private <T> T read(RequestKind kind, String key, StoreRequest<T> request) throws StoreException {
    before(kind, key);
    return request.send();
  }

  private StoreException.Unavailable lost() {
    Refusing now = refusing;
    return now != null && now.isAfter
        ? refused(now)
        : new StoreException.Unavailable("injected: answer lost", null);
  }

  private static StoreException.Unavailable refused(Refusing now) {
    return new StoreException.Unavailable(
        now.failure, "injected: 403 " + now.failure.label(), null);
  }

  private boolean isAnswerLost() {
    // An outage that began during the request loses its answer.
    Refusing now = refusing;
    return isOutage || (now != null && now.isAfter) || happens(faults.lostAnswer());
  }

  private void before(RequestKind kind, String key) throws StoreException {
    StoreFaults now = faults;
    delay(now, kind);
    Refusing refuses = refusing;
    if (refuses != null && refuses.isBefore(kind, key)) {
      throw refused(refuses);
    }
    if (isOutage) {
      throw new StoreException.Unavailable("injected: outage", null);
    }
    if (burstLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new StoreException.Unavailable("injected: 503 slow down", null);
    }
    if (happens(now.burst())) {
      burstLeft.set(now.burstRequests() - 1);
      throw new StoreException.Unavailable("injected: 503 slow down", null);
    }
    if (happens(now.errorBefore())) {
      throw new StoreException.Unavailable("injected: error before", null);
    }
  }

  private boolean happens(double chance) {
    return chance > 0 && world.chance().nextDouble() < chance;
  }

  private void delay(StoreFaults now, RequestKind kind) throws StoreException {
    double millis = kind == RequestKind.GET ? now.getMillis() : 0;
    if (now.latencyMedianMillis() > 0) {
      double sigma = Math.log(now.latencyP99Millis() / now.latencyMedianMillis()) / P99_SIGMAS;
      millis += now.latencyMedianMillis() * Math.exp(sigma * gaussian(world.chance()));
    }
    if (kind == RequestKind.LIST && happens(now.slowList())) {
      millis += now.slowListMillis();
    }
    if (millis > 0) {
      try {
        Await.pause(world, Duration.ofNanos((long) (millis * 1e6)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException.Unavailable("interrupted", e);
      }
    }
  }

  private static double gaussian(Chance chance) {
    double radius = Math.sqrt(-2 * Math.log(1 - chance.nextDouble()));
    return radius * Math.cos(2 * Math.PI * chance.nextDouble());
  }
}
