package dev.holdfast.objectstore.open;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.SeededChance;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.file.FileStore;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stores that keep their promises pass the probe, others are refused in one sentence.
final class StoreProbeTest {
  @TempDir Path folder;
  private final World world = RealWorld.create();

  @Test
  void goodStoresPassAndAreLeftClean() throws Exception {
    for (ObjectStore store : new ObjectStore[] {new MemoryStore(), new FileStore(folder)}) {
      StoreCounters counters = new StoreCounters(StorePrices.FREE);
      StoreProbe.check(new Counting(store, Purpose.CLUSTER_STATE, counters), world);

      assertThat(store.list("", "", 10)).isEmpty();
      long requests = counters.snapshot().stream().mapToLong(StoreCounters.Line::requests).sum();
      assertThat(requests).isLessThanOrEqualTo(65);
    }
  }

  @Test
  void aStoreOnABadDayPasses() throws Exception {
    StoreProbe.check(
        new Faulty(
            new MemoryStore(), SeededChance.world(3, false), StoreFaults.NONE.withErrorBefore(0.1)),
        SeededChance.world(4, false));
  }

  @Test
  void aStoreThatIgnoresConditionsIsRefused() {
    MemoryStore memory = new MemoryStore();
    ObjectStore noCondition =
        cheating(
            memory,
            (method, arguments) ->
                switch (method) {
                  case "putIfAbsent" ->
                      new ObjectStore.Creation.Created(
                          memory.put((String) arguments[0], (ObjectBody) arguments[1]));
                  default -> null;
                });
    assertThatThrownBy(() -> StoreProbe.check(noCondition, world))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessage(
            "the object store [memory:] can not be used: it lets two writers create the same"
                + " object");

    ObjectStore noMatch =
        cheating(
            memory,
            (method, arguments) ->
                switch (method) {
                  case "compareAndSet" ->
                      arguments[1] == null
                          ? null
                          : new ObjectStore.Swap.Swapped(
                              memory.put(
                                  (String) arguments[0], ObjectBody.of((byte[]) arguments[2])));
                  default -> null;
                });
    assertThatThrownBy(() -> StoreProbe.check(noMatch, world))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("two writers replace the same version");
    assertThat(memory.list("", "", 10)).isEmpty();
  }

  @Test
  void aVersionThatComesBackIsRefused() {
    MemoryStore memory = new MemoryStore();
    AtomicInteger writes = new AtomicInteger();
    // As with an ETag that is a hash of the content: the first content has the first version again.
    ObjectStore hashes =
        cheating(
            memory,
            (method, arguments) -> {
              if (method.equals("compareAndSet")
                  && arguments[1] != null
                  && new String((byte[]) arguments[2], UTF_8).startsWith("late")
                  && writes.getAndIncrement() == 0) {
                return new ObjectStore.Swap.Swapped(
                    memory.put((String) arguments[0], ObjectBody.of((byte[]) arguments[2])));
              }
              return null;
            });
    assertThatThrownBy(() -> StoreProbe.check(hashes, world))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("an old version only");
  }

  @Test
  void aStoreThatDoesNotAnswerIsRefused() {
    Faulty faulty = new Faulty(new MemoryStore(), world, StoreFaults.NONE);
    faulty.outage(true);
    assertThatThrownBy(() -> StoreProbe.check(faulty, SeededChance.world(1, false)))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("the object store [memory:] does not answer");
  }

  @Test
  void whetherAStoreAnswersTakesOneRequest() throws Exception {
    Faulty faulty = new Faulty(new MemoryStore(), world, StoreFaults.NONE);
    StoreCounters counters = new StoreCounters(StorePrices.FREE);
    StoreProbe.reach(new Counting(faulty, Purpose.CLUSTER_STATE, counters), world);
    assertThat(counters.snapshot().stream().mapToLong(StoreCounters.Line::requests).sum())
        .isEqualTo(1);

    faulty.outage(true);
    assertThatThrownBy(() -> StoreProbe.reach(faulty, SeededChance.world(1, false)))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("the object store [memory:] does not answer");
  }

  @Test
  void aStoreThatRefusesIsNamedWithItsReasonAndWhatToDo() {
    Faulty faulty = new Faulty(new MemoryStore(), world, StoreFaults.NONE);
    faulty.refuse(StoreFailure.DENIED, "");
    assertThatThrownBy(() -> StoreProbe.check(faulty, SeededChance.world(1, false)))
        .isInstanceOfSatisfying(
            StoreException.Unavailable.class,
            e -> assertThat(e.failure()).isEqualTo(StoreFailure.DENIED))
        .hasMessageContaining("the object store [memory:] refuses requests")
        .hasMessageContaining(StoreFailure.DENIED.advice());
  }

  @Test
  void oneOfManyRacesThatTwoWinIsSeen() {
    MemoryStore memory = new MemoryStore();
    AtomicInteger inside = new AtomicInteger();
    // Looks first, then writes, as a server without a lock does.
    ObjectStore slow =
        cheating(
            memory,
            (method, arguments) -> {
              if (!method.equals("putIfAbsent") || memory.get((String) arguments[0]).isPresent()) {
                return null;
              }
              inside.incrementAndGet();
              Thread.sleep(20);
              return new ObjectStore.Creation.Created(
                  memory.put((String) arguments[0], (ObjectBody) arguments[1]));
            });
    assertThatThrownBy(() -> StoreProbe.check(slow, world))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("lets two writers create the same object");
    assertThat(inside.get()).isGreaterThan(1);
  }

  @Test
  void listsThatAreLateOrInAnotherOrderAreRefused() {
    MemoryStore memory = new MemoryStore();
    assertThatThrownBy(() ->
            StoreProbe.check(listing(memory, listed -> new ArrayList<>(listed).reversed()), world))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("its list is not in the order of the keys' bytes");
    assertThatThrownBy(() ->
            StoreProbe.check(
                listing(
                    memory,
                    listed -> {
                      List<Listed> sorted = new ArrayList<>(listed);
                      sorted.sort(Comparator.comparing(l -> l.key().replace('/', ' ')));
                      return sorted;
                    }),
                world))
        .as("folders first")
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("its list is not in the order of the keys' bytes");
    assertThatThrownBy(() ->
            StoreProbe.check(
                listing(
                    memory,
                    listed -> listed.isEmpty() ? listed : listed.subList(0, listed.size() - 1)),
                world))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("its list does not show an object that was written before");
    assertThat(memory.list("", "", 10)).isEmpty();
  }

  @Test
  void listsThatRememberWhatIsDeletedAreRefused() {
    MemoryStore memory = new MemoryStore();
    List<Listed> first = new ArrayList<>();
    ObjectStore remembers =
        listing(
            memory,
            listed -> {
              if (first.isEmpty()) {
                first.addAll(listed);
              }
              return listed.size() > 2 ? List.copyOf(first) : listed;
            });
    assertThatThrownBy(() -> StoreProbe.check(remembers, world))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("its list shows an object that was deleted before");
  }

  @Test
  void aListThatDoesNotBeginWhereItIsToldIsRefused() {
    MemoryStore memory = new MemoryStore();
    ObjectStore ignores =
        cheating(
            memory,
            (method, arguments) ->
                method.equals("list")
                    ? memory.list((String) arguments[0], "", (Integer) arguments[2])
                    : null);
    assertThatThrownBy(() -> StoreProbe.check(ignores, world))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("does not begin behind the key");
  }

  @Test
  void oldReadsAreRefused() {
    MemoryStore memory = new MemoryStore();
    ConcurrentHashMap<String, Object> seen = new ConcurrentHashMap<>();
    // A cache before the store that keeps what it read once.
    ObjectStore cached =
        cheating(
            memory,
            (method, arguments) ->
                method.equals("get")
                    ? seen.computeIfAbsent((String) arguments[0], key -> memory.get(key))
                    : null);
    assertThatThrownBy(() -> StoreProbe.check(cached, world))
        .isInstanceOf(StoreException.Denied.class);
  }

  private static ObjectStore listing(MemoryStore memory, UnaryOperator<List<Listed>> cheat) {
    return cheating(
        memory,
        (method, arguments) ->
            method.equals("list")
                ? cheat.apply(
                    memory.list(
                        (String) arguments[0], (String) arguments[1], (Integer) arguments[2]))
                : null);
  }

  /// What the cheat answers, or the honest store's answer where that is null.
  private interface Cheat {
    @Nullable Object answer(String method, Object[] arguments) throws Exception;
  }

  private static ObjectStore cheating(ObjectStore honest, Cheat cheat) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (_, method, arguments) -> {
              Object answer = arguments == null ? null : cheat.answer(method.getName(), arguments);
              try {
                return answer == null ? method.invoke(honest, arguments) : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
