package dev.holdfast.objectstore.open;

import static dev.holdfast.objectstore.ObjectStoreContract.bytes;
import static dev.holdfast.objectstore.ObjectStoreContract.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.Parts;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.TestServer;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is particular about stores behind a network, on each of the servers.
final class RemoteStoresTest {
  private final World world = RealWorld.create();

  private ObjectStore store(TestServer.Kind kind) throws Exception {
    TestServer server = TestServer.shared(kind);
    return Stores.open(
        server.url("r" + UUID.randomUUID().toString().replace("-", "")), server.options(), world);
  }

  @ParameterizedTest
  @EnumSource
  void theProbePasses(TestServer.Kind kind) throws Exception {
    try (ObjectStore store = store(kind)) {
      StoreProbe.check(store, world);
      assertThat(store.list("", "", 10)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeObjectsGoInPartsAndKeepTheirCondition(TestServer.Kind kind) throws Exception {
    try (ObjectStore store = store(kind)) {
      byte[] large = new byte[(int) Parts.WHOLE_BYTES_MAX + 1_000_000];
      new Random(1).nextBytes(large);

      assertThat(store.putIfAbsent("large", ObjectBody.of(large)))
          .isInstanceOf(Creation.Created.class);
      assertThat(store.getSuffix("large", 10).objectLength()).isEqualTo(large.length);
      assertThat(bytes(store.get("large"))).isEqualTo(large);
      large[0]++;
      assertThat(store.putIfAbsent("large", ObjectBody.of(large)))
          .isEqualTo(new Creation.AlreadyExists());
    }
  }

  @ParameterizedTest
  @EnumSource
  void ourOwnSwapIsKnownByItsAttempt(TestServer.Kind kind) throws Exception {
    try (ObjectStore store = store(kind)) {
      Faulty faulty = new Faulty(store, world, StoreFaults.NONE.withLostAnswer(1));
      World heals =
          new World(
              world.clock(),
              _ -> faulty.faults(StoreFaults.NONE),
              world.ids(),
              world.chance(),
              world.tasks());

      Swap swap = Retrying.forever(faulty, heals).compareAndSet("lease", null, utf8("mine"));

      assertThat(swap).isEqualTo(new Swap.Swapped(store.get("lease").orElseThrow().version()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBucketThatIsNotThereIsNamed(TestServer.Kind kind) throws Exception {
    TestServer server = TestServer.shared(kind);
    String url = server.url("n" + UUID.randomUUID().toString().replace("-", ""));
    try (ObjectStore store = Stores.open(url + "nope", server.options(), world)) {
      assertThatThrownBy(() -> StoreProbe.check(store, world))
          .isInstanceOfSatisfying(
              StoreException.Unavailable.class,
              e -> assertThat(e.failure()).isEqualTo(StoreFailure.NO_BUCKET))
          .hasMessageContaining(url)
          .hasMessageContaining(StoreFailure.NO_BUCKET.advice());
    }
  }

  /// Servers of tests have no prices: versitygw takes a class and keeps its own.
  @ParameterizedTest
  @EnumSource
  void anObjectIsTheSameInAnotherClass(TestServer.Kind kind) throws Exception {
    try (ObjectStore store = store(kind)) {
      byte[] body = new byte[300_000];
      new Random(2).nextBytes(body);
      store.putIfAbsent("blob", ObjectBody.of(body));
      String to = StorePrices.of(store.name()).classes().names().getFirst();

      store.changeClass("blob", to);

      assertThat(bytes(store.get("blob"))).isEqualTo(body);
      assertThat(store.getSuffix("blob", 10).objectLength()).isEqualTo(body.length);
      assertThat(store.list("", "", 10))
          .singleElement()
          .satisfies(listed -> {
            assertThat(listed.length()).isEqualTo(body.length);
            assertThat(listed.storageClass()).isIn(to, "STANDARD", "Hot", "");
          });
      assertThatThrownBy(() -> store.changeClass("none", to))
          .isInstanceOf(StoreException.NotFound.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsNotThereIsUnavailable(TestServer.Kind kind) throws Exception {
    TestServer server = TestServer.shared(kind);
    TreeMap<String, String> options = new TreeMap<>();
    server
        .options()
        .forEach((name, value) -> options.put(name, value.replace(":" + server.port(), ":1")));
    String scheme = server.url("u" + UUID.randomUUID().toString().replace("-", ""));
    try (ObjectStore store = Stores.open(scheme, options, world)) {
      assertThatThrownBy(() -> store.get("a")).isInstanceOf(StoreException.Unavailable.class);
      assertThatThrownBy(() -> store.compareAndSet("a", null, utf8("x")))
          .isInstanceOfSatisfying(
              StoreException.Unavailable.class, e -> assertThat(e.attempt()).isNotNull());
      assertThatThrownBy(() -> store.list("", "", 1))
          .isInstanceOf(StoreException.Unavailable.class);
    }
  }
}
