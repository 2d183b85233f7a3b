package dev.holdfast.objectstore.retry;

import dev.holdfast.objectstore.BodyException;
import dev.holdfast.objectstore.GivingUp;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.world.Promise;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store that tries again when it was unavailable or refused, and knows its own success behind a
/// lost answer.
///
/// A conditional write whose answer was lost may have happened; its retry is then refused by
/// itself. A refusal after such a loss is therefore checked against what is stored: for a
/// put-if-absent the bytes (of racing writers of one key no two write the same), for a
/// compare-and-set the name of the attempt in the version. A put-if-absent is checked after every
/// refusal, since a proxy between may have lost the answer, and sent the request again by itself.
/// What remains unknown: a compare-and-set that happened and was replaced by another writer before
/// the retry is reported as `Conflict`, as if it had come too late.
///
/// An interrupt ends the tries at once, with `Unavailable`.
public final class Retrying implements ObjectStore {
  private static final Logger LOG = LoggerFactory.getLogger(Retrying.class);
  private static final int COMPARED_BYTES = 1 << 20;

  /// A request that fails so often is told whatever else was.
  private static final int TOLD_TRIES = 4;

  private static final Duration NO_END = Duration.ofNanos(Long.MAX_VALUE);

  private final ObjectStore store;
  private final World world;
  private final int triesMax;
  private final Duration againMax;
  private final StoreHealth health;

  private Retrying(
      ObjectStore store, World world, int triesMax, Duration againMax, StoreHealth health) {
    this.store = store;
    this.world = world;
    this.triesMax = triesMax;
    this.againMax = againMax;
    this.health = health;
  }

  /// For what must become durable: an outage of the store, however long, is waited out; so is a
  /// refusal, which may be of a policy or a token that is renewed.
  public static Retrying forever(ObjectStore store, World world) {
    return forever(store, world, new StoreHealth());
  }

  /// As above.
  ///
  /// @param health hears of what fails
  public static Retrying forever(ObjectStore store, World world, StoreHealth health) {
    return new Retrying(store, world, Integer.MAX_VALUE, NO_END, health);
  }

  /// For what somebody waits for.
  ///
  /// @param tries at least 1, the first one counted
  public static Retrying atMost(ObjectStore store, World world, int tries) {
    return atMost(store, world, tries, new StoreHealth());
  }

  /// As above.
  ///
  /// @param health hears of what fails
  public static Retrying atMost(ObjectStore store, World world, int tries, StoreHealth health) {
    return atMost(store, world, tries, NO_END, health);
  }

  /// As above. A store that says nothing is not waited for as often as one that says no.
  ///
  /// @param againMax no try begins when so long has passed since the first one failed
  public static Retrying atMost(
      ObjectStore store, World world, int tries, Duration againMax, StoreHealth health) {
    Promise.keep(tries >= 1, "at least one try", "tries", tries);
    return new Retrying(store, world, tries, againMax, health);
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return retried("put", key, () -> store.put(key, body));
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    return retried(
        FirstTries.PUT_IF_ABSENT,
        key,
        () -> {
          Creation creation = store.putIfAbsent(key, body);
          return creation instanceof Creation.AlreadyExists
              ? ownCreation(key, body).orElse(creation)
              : creation;
        });
  }

  private Optional<Creation> ownCreation(String key, ObjectBody body) throws StoreException {
    try {
      if (body.length() <= COMPARED_BYTES) {
        Optional<StoredObject> stored = store.get(key);
        try (InputStream in = body.open()) {
          byte[] ours = in.readAllBytes();
          return stored
              .filter(object -> Arrays.equals(object.bytes(), ours))
              .map(object -> new Creation.Created(object.version()));
        }
      }
      return store.getSuffix(key, 1).objectLength() == body.length() && isStored(key, body)
          ? Optional.of(new Creation.Created(Version.UNKNOWN))
          : Optional.empty();
    } catch (StoreException.NotFound e) {
      return Optional.empty(); // deleted since: not ours any more
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreException.Denied("cannot read the body to be written", e);
    }
  }

  private boolean isStored(String key, ObjectBody body) throws IOException {
    try (InputStream in = body.open()) {
      for (long offset = 0; offset < body.length(); offset += COMPARED_BYTES) {
        byte[] ours = in.readNBytes(COMPARED_BYTES);
        if (!Arrays.equals(ours, store.getRange(key, offset, ours.length))) {
          return false;
        }
      }
      return true;
    }
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    List<String> unknown = new ArrayList<>();
    return retried(
        "compare and set",
        key,
        () -> {
          try {
            Swap swap = store.compareAndSet(key, expected, bytes);
            return swap instanceof Swap.Conflict && !unknown.isEmpty()
                ? ownSwap(key, unknown).orElse(swap)
                : swap;
          } catch (StoreException.Unavailable e) {
            if (e.attempt() != null) {
              unknown.add(e.attempt());
            }
            throw e;
          }
        });
  }

  private Optional<Swap> ownSwap(String key, List<String> attempts) throws StoreException {
    return store
        .get(key)
        .map(StoredObject::version)
        .filter(version -> attempts.stream().anyMatch(version::isOf))
        .map(Swap.Swapped::new);
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    return retried("get", key, () -> store.get(key));
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return retried("get range", key, () -> store.getRange(key, offset, length));
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return retried("get suffix", key, () -> store.getSuffix(key, length));
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    return retried("list", prefix, () -> store.list(prefix, after, max));
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    retried(
        "copy",
        from,
        () -> {
          store.copy(from, to);
          return to;
        });
  }

  @Override
  public void changeClass(String key, String storageClass) throws StoreException {
    retried(
        "change class",
        key,
        () -> {
          store.changeClass(key, storageClass);
          return key;
        });
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    retried(
        "delete",
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
  public Optional<String> lender(String key) throws StoreException {
    return retried("lender", key, () -> store.lender(key));
  }

  @Override
  public void close() {
    store.close();
  }

  @Override
  public boolean triesForever() {
    return triesMax == Integer.MAX_VALUE;
  }

  @Override
  public Optional<StoreTrouble> trouble(String prefix) {
    return health.of(this, prefix);
  }

  @Override
  public Optional<StoreTrouble> longestTrouble() {
    return health.failing(world.clock().nanoTime(), Duration.ZERO).stream().findFirst();
  }

  private <T> T retried(String what, String key, StoreRequest<T> request) throws StoreException {
    T answer;
    try {
      answer = FirstTries.send(what, key, 0, request);
    } catch (StoreException.Unavailable e) {
      return retriedAfter(e, what, key, request);
    }
    health.succeeded();
    return answer;
  }

  /// The same after the first failure.
  private <T> T retriedAfter(
      StoreException.Unavailable first, String what, String key, StoreRequest<T> request)
      throws StoreException {
    Backoff backoff = Backoff.of(key, world.chance());
    StoreHealth.Failing failing = health.begin(this);
    long sinceNanos = world.clock().nanoTime();
    StoreException.Unavailable newest = first;
    boolean isTold = false;
    try {
      for (int tries = 1; ; tries++) {
        StoreTrouble trouble =
            new StoreTrouble(
                newest.failure(),
                what,
                key,
                String.valueOf(newest.getMessage()),
                sinceNanos,
                tries);
        long failingNanos = world.clock().nanoTime() - sinceNanos;
        if (tries == triesMax
            || failingNanos >= againMax.toNanos()
            || GivingUp.isDue()
            || BodyException.isIn(newest)
            || Thread.currentThread().isInterrupted()) {
          failing.gaveUp(trouble, world.clock().nanoTime());
          throw newest;
        }
        failing.failed(trouble);
        isTold |= log(trouble);
        pause(backoff, newest);
        try {
          T answer = FirstTries.send(what, key, tries, request);
          health.succeeded();
          if (isTold) {
            logEnd(trouble);
          }
          return answer;
        } catch (StoreException.Unavailable e) {
          newest = e;
        }
      }
    } finally {
      failing.succeeded();
    }
  }

  /// By powers of two: an outage of an hour is a dozen lines, not a thousand. Of requests that fail
  /// once or twice, as a share of all does while a store throttles, one is told now and then.
  ///
  /// @return whether it was told
  private boolean log(StoreTrouble trouble) {
    if (Integer.bitCount(trouble.tries()) != 1
        || (trouble.tries() < TOLD_TRIES
            && !health.mayTell(trouble.failure(), world.clock().nanoTime()))) {
      return false;
    }
    if (trouble.failure().isRefusal()) {
      LOG.error(
          "object store refuses, will retry [store={}, reason={}, request={}, key={}, tries={},"
              + " advice={}]: {}",
          store.name(),
          trouble.failure().label(),
          trouble.request(),
          trouble.key(),
          trouble.tries(),
          trouble.failure().advice(),
          trouble.message());
    } else {
      LOG.warn(
          "object store unavailable, will retry [store={}, reason={}, request={}, key={},"
              + " tries={}]: {}",
          store.name(),
          trouble.failure().label(),
          trouble.request(),
          trouble.key(),
          trouble.tries(),
          trouble.message());
    }
    return true;
  }

  private void logEnd(StoreTrouble trouble) {
    if (trouble.failure().isRefusal()) {
      LOG.info(
          "object store accepts requests again [store={}, reason={}, request={}, key={}, tries={}]",
          store.name(),
          trouble.failure().label(),
          trouble.request(),
          trouble.key(),
          trouble.tries());
    }
  }

  private void pause(Backoff backoff, StoreException.Unavailable because)
      throws StoreException.Unavailable {
    try {
      Await.pause(world, backoff.next());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      because.addSuppressed(e);
      throw because;
    }
  }
}
