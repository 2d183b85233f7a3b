package dev.holdfast.objectstore.retry;

import static dev.holdfast.objectstore.ObjectStoreContract.body;
import static dev.holdfast.objectstore.ObjectStoreContract.text;
import static dev.holdfast.objectstore.ObjectStoreContract.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.objectstore.SeededChance;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.objectstore.TryTime;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.file.FileStore;
import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Retries end well: nothing is done twice, and one's own success is no conflict.
final class RetryingTest {
  private static final StoreFaults LOST = StoreFaults.NONE.withLostAnswer(1);

  @TempDir Path folder;

  private final List<Duration> waits = new ArrayList<>();
  private final World real = RealWorld.create();

  /// A world whose waits are noted, not waited; during a wait `meanwhile` happens.
  private World world(Runnable meanwhile) {
    return new World(
        real.clock(),
        duration -> {
          waits.add(duration);
          meanwhile.run();
        },
        real.ids(),
        new SeededChance(1),
        real.tasks());
  }

  @Test
  void ourOwnPutIfAbsentBehindALostAnswerIsCreated() throws Exception {
    for (ObjectStore store : List.of(new MemoryStore(), new FileStore(folder))) {
      Faulty faulty = new Faulty(store, real, LOST);
      World world = world(() -> faulty.faults(StoreFaults.NONE));

      Creation creation = Retrying.forever(faulty, world).putIfAbsent("log/1", body("ours"));

      assertThat(creation)
          .isEqualTo(new Creation.Created(store.get("log/1").orElseThrow().version()));
    }
  }

  @Test
  void ourOwnLargePutIfAbsentIsRecognisedPieceByPiece() throws Exception {
    byte[] large = new byte[(5 << 20) + 17];
    new Random(3).nextBytes(large);
    Faulty faulty = new Faulty(new MemoryStore(), real, LOST);
    Retrying store = Retrying.forever(faulty, world(() -> faulty.faults(StoreFaults.NONE)));

    assertThat(store.putIfAbsent("large", ObjectBody.of(large)))
        .isEqualTo(new Creation.Created(Version.UNKNOWN));

    faulty.faults(StoreFaults.NONE.withErrorBefore(1));
    byte[] other = large.clone();
    other[other.length - 1]++;
    assertThat(store.putIfAbsent("large", ObjectBody.of(other)))
        .isEqualTo(new Creation.AlreadyExists());
  }

  /// As gateways do when a server behind them breaks a connection off.
  @Test
  void aRequestThatAProxySendsTwiceIsNoOnesRefusal() throws Exception {
    ObjectStore twice =
        new ForwardingStore(new MemoryStore()) {
          @Override
          public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
            var _ = super.putIfAbsent(key, body);
            return super.putIfAbsent(key, body);
          }
        };
    Retrying store = Retrying.forever(twice, real);

    assertThat(store.putIfAbsent("log/1", body("ours"))).isInstanceOf(Creation.Created.class);
    assertThat(store.putIfAbsent("log/1", body("zombie"))).isEqualTo(new Creation.AlreadyExists());
  }

  @Test
  void anothersObjectStaysAlreadyExisting() throws Exception {
    Faulty faulty = new Faulty(new MemoryStore(), real, StoreFaults.NONE);
    Retrying store = Retrying.forever(faulty, world(() -> faulty.faults(StoreFaults.NONE)));
    store.putIfAbsent("log/1", body("fence"));

    faulty.faults(LOST);

    assertThat(store.putIfAbsent("log/1", body("zombie"))).isEqualTo(new Creation.AlreadyExists());
    assertThat(text(store.get("log/1"))).isEqualTo("fence");
  }

  @Test
  void ourOwnSwapBehindALostAnswerIsSwapped() throws Exception {
    for (ObjectStore store : List.of(new MemoryStore(), new FileStore(folder))) {
      Faulty faulty = new Faulty(store, real, LOST);
      Retrying retrying = Retrying.forever(faulty, world(() -> faulty.faults(StoreFaults.NONE)));

      Swap created = retrying.compareAndSet("lease", null, utf8("term 1"));
      faulty.faults(LOST);
      Version first = ((Swap.Swapped) created).version();
      Swap swapped = retrying.compareAndSet("lease", first, utf8("term 2"));

      assertThat(swapped).isEqualTo(new Swap.Swapped(store.get("lease").orElseThrow().version()));
      assertThat(text(store.get("lease"))).isEqualTo("term 2");
    }
  }

  @Test
  void aSwapThatAnotherWonIsAConflictThoughTheBytesAreEqual() throws Exception {
    MemoryStore memory = new MemoryStore();
    Faulty faulty = new Faulty(memory, real, StoreFaults.NONE.withErrorBefore(1));
    Retrying store =
        Retrying.forever(
            faulty,
            world(() -> {
              memory.compareAndSet("lease", null, utf8("same"));
              faulty.faults(StoreFaults.NONE);
            }));

    assertThat(store.compareAndSet("lease", null, utf8("same"))).isEqualTo(new Swap.Conflict());
  }

  @Test
  void readsGiveUpAfterTheirTries() {
    Faulty faulty = new Faulty(new MemoryStore(), real, StoreFaults.NONE);
    faulty.outage(true);

    assertThatThrownBy(() -> Retrying.atMost(faulty, world(() -> {}), 3).get("a"))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThat(waits).hasSize(2);
  }

  /// Whoever reads for a client does not wait out as many silences as refusals.
  @Test
  void readsOfAStoreThatSaysNothingGiveUpEarlier() {
    AtomicLong nanos = new AtomicLong();
    Clock clock =
        new Clock() {
          @Override
          public long nanoTime() {
            return nanos.get();
          }

          @Override
          public long epochMillis() {
            return 0;
          }
        };
    World world = new World(clock, waits::add, real.ids(), new SeededChance(1), real.tasks());
    AtomicLong tries = new AtomicLong();
    Duration[] silence = {Duration.ofSeconds(20)};
    ObjectStore silent =
        new ForwardingStore(new MemoryStore()) {
          @Override
          public byte[] getRange(String key, long offset, int length) throws StoreException {
            tries.incrementAndGet();
            nanos.addAndGet(silence[0].toNanos());
            throw new StoreException.Unavailable("nothing was answered", null);
          }
        };
    Retrying store = Retrying.atMost(silent, world, 4, Duration.ofSeconds(10), new StoreHealth());

    assertThatThrownBy(() -> store.getRange("a", 0, 1))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThat(tries).hasValue(2);

    silence[0] = Duration.ofMillis(100);
    assertThatThrownBy(() -> store.getRange("a", 0, 1))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThat(tries).hasValue(2 + 4);
  }

  /// A leader that waits longer after a blip of the store than its lease may be silent is replaced,
  /// though nothing ails it.
  @Test
  void whatIsAskedForTheClusterIsAskedAgainSoon() throws Exception {
    Faulty faulty = new Faulty(new MemoryStore(), real, StoreFaults.NONE);
    faulty.outage(true);
    Runnable endsOutage = () -> faulty.outage(waits.size() < 400);

    var _ = Retrying.forever(faulty, world(endsOutage)).get("cluster/lease");

    assertThat(waits).hasSize(400).allMatch(wait -> wait.compareTo(Duration.ofMillis(500)) <= 0);
  }

  /// How long each of six tries may take in a store that allows half a minute.
  private List<Duration> allowed(StoreUse use) {
    List<Duration> allowed = new ArrayList<>();
    ObjectStore silent =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (_, method, _) -> {
                  if (method.getName().equals("name")) {
                    return "silent";
                  }
                  allowed.add(TryTime.atMost(Duration.ofSeconds(30)));
                  throw new StoreException.Unavailable("nothing was answered", null);
                });
    Retrying store = Retrying.atMost(silent, world(() -> {}), 6);
    assertThatThrownBy(() -> use.by(store)).isInstanceOf(StoreException.Unavailable.class);
    return allowed;
  }

  @FunctionalInterface
  private interface StoreUse {
    void by(ObjectStore store) throws StoreException;
  }

  private static List<Duration> millis(long... millis) {
    return Arrays.stream(millis).mapToObj(Duration::ofMillis).toList();
  }

  /// A connection that died unnoticed holds up neither all writes of a node for twenty seconds, nor
  /// a leader for longer than its lease may be silent.
  @Test
  void whatAllWaitForIsAskedAgainBeforeTheUsualTimeIsOver() {
    assertThat(allowed(store -> store.putIfAbsent("log/a/1", body("x"))))
        .isEqualTo(millis(5_000, 10_000, 20_000, 30_000, 30_000, 30_000));
    assertThat(allowed(store -> store.putIfAbsent("cluster/state/1/0", body("x"))))
        .startsWith(Duration.ofSeconds(5));
    assertThat(allowed(store -> store.get("cluster/lease")))
        .isEqualTo(millis(1_500, 3_000, 6_000, 12_000, 24_000, 30_000));
    assertThat(allowed(store -> store.compareAndSet("cluster/lease", null, utf8("x"))))
        .startsWith(Duration.ofMillis(1_500));
    assertThat(allowed(store -> store.put("shards/a", body("x"))))
        .isEqualTo(Collections.nCopies(6, Duration.ofSeconds(30)));
  }

  @Test
  void waitsDoubleUpToTheirBoundWithFullJitter() throws Exception {
    Faulty faulty = new Faulty(new MemoryStore(), real, StoreFaults.NONE);
    faulty.outage(true);
    Runnable endsOutage = () -> faulty.outage(waits.size() < 400);

    Retrying.forever(faulty, world(endsOutage)).put("a", body("x"));

    assertThat(waits).hasSize(400);
    for (int i = 0; i < waits.size(); i++) {
      long bound = Math.min(5_000, 50L << Math.min(i, 20));
      assertThat(waits.get(i)).isBetween(Duration.ZERO, Duration.ofMillis(bound));
    }
    assertThat(waits.stream().mapToLong(Duration::toMillis).average().orElseThrow())
        .isBetween(2_000.0, 3_000.0);
  }

  @Test
  void anInterruptEndsTheTriesAtOnce() throws Exception {
    Faulty faulty = new Faulty(new MemoryStore(), real, StoreFaults.NONE);
    faulty.outage(true);
    Retrying store = Retrying.forever(faulty, real);

    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> store.put("a", body("x")))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aRefusalIsWaitedOutAndToldMeanwhile() throws Exception {
    Faulty faulty = new Faulty(new MemoryStore(), real, StoreFaults.NONE);
    StoreHealth health = new StoreHealth();
    faulty.refuse(StoreFailure.DENIED, "log/");
    List<StoreTrouble> seen = new ArrayList<>();
    Retrying[] store = new Retrying[1];
    Retrying other = Retrying.atMost(faulty, real, 2, health);
    Runnable meanwhile =
        () -> {
          seen.addAll(health.failing(real.clock().nanoTime(), Duration.ZERO));
          assertThat(store[0].trouble("log/1")).isPresent();
          assertThat(store[0].trouble("shards/")).isEmpty();
          assertThat(other.longestTrouble()).map(StoreTrouble::key).hasValue("log/1");
          if (waits.size() == 20) {
            faulty.refuse(null, "");
          }
        };
    store[0] = Retrying.forever(faulty, world(meanwhile), health);

    assertThat(store[0].putIfAbsent("log/1", body("ours"))).isInstanceOf(Creation.Created.class);

    assertThat(seen).hasSize(20);
    assertThat(seen.getLast().failure()).isEqualTo(StoreFailure.DENIED);
    assertThat(seen.getLast().tries()).isEqualTo(20);
    assertThat(health.failing(real.clock().nanoTime(), Duration.ZERO)).isEmpty();
    assertThat(store[0].trouble("")).isEmpty();
    assertThat(other.longestTrouble()).isEmpty();
  }

  /// A gateway may ask the store and then refuse.
  @Test
  void ourOwnWriteBehindARefusalIsKnown() throws Exception {
    Faulty faulty = new Faulty(new MemoryStore(), real, StoreFaults.NONE);
    faulty.refuseAfter(StoreFailure.CREDENTIALS);
    Retrying store = Retrying.forever(faulty, world(() -> faulty.refuse(null, "")));

    assertThat(store.putIfAbsent("log/1", body("ours"))).isInstanceOf(Creation.Created.class);
    faulty.refuseAfter(StoreFailure.CREDENTIALS);
    assertThat(store.compareAndSet("lease", null, utf8("ours"))).isInstanceOf(Swap.Swapped.class);
  }

  @Test
  void whatWasGivenUpIsToldUntilARequestSucceeds() throws Exception {
    Faulty faulty = new Faulty(new MemoryStore(), real, StoreFaults.NONE);
    StoreHealth health = new StoreHealth();
    Retrying store = Retrying.atMost(faulty, world(() -> {}), 3, health);
    faulty.refuse(StoreFailure.CLOCK, "");

    assertThatThrownBy(() -> store.get("a")).isInstanceOf(StoreException.Unavailable.class);
    assertThat(health.failing(real.clock().nanoTime(), Duration.ofMinutes(1)))
        .as("one short failure is no outage")
        .isEmpty();
    assertThat(health.failing(real.clock().nanoTime(), Duration.ZERO))
        .extracting(StoreTrouble::failure)
        .containsExactly(StoreFailure.CLOCK);

    faulty.refuse(null, "");
    assertThat(store.get("a")).isEmpty();
    assertThat(health.failing(real.clock().nanoTime(), Duration.ZERO)).isEmpty();
  }

  @Test
  void whatAPersonMustMendIsNotRetried() throws Exception {
    assertThatThrownBy(
            () -> Retrying.forever(new MemoryStore(), world(() -> {})).getRange("none", 0, 1))
        .isInstanceOf(StoreException.NotFound.class);
    assertThat(waits).isEmpty();
  }
}
