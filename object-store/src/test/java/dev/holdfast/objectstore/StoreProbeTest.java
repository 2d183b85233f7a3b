package dev.holdfast.objectstore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.World;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stores that keep their promises pass the probe, others are refused in one sentence.
final class StoreProbeTest {
  @TempDir Path folder;
  private final World world = World.real();

  @Test
  void goodStoresPassAndAreLeftClean() throws Exception {
    for (ObjectStore store : new ObjectStore[] {new MemoryStore(), new FileStore(folder)}) {
      StoreCounters counters = new StoreCounters(StorePrices.FREE);
      StoreProbe.check(new Counting(store, Purpose.CLUSTER_STATE, counters), world);

      assertThat(store.list("", "", 10)).isEmpty();
      long requests = counters.snapshot().stream().mapToLong(StoreCounters.Line::requests).sum();
      assertThat(requests).isLessThanOrEqualTo(20);
    }
  }

  @Test
  void aStoreOnABadDayPasses() throws Exception {
    StoreProbe.check(
        new Faulty(
            new MemoryStore(), SeededChance.world(3, false), Faults.NONE.withErrorBefore(0.1)),
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
    Faulty faulty = new Faulty(new MemoryStore(), world, Faults.NONE);
    faulty.outage(true);
    assertThatThrownBy(() -> StoreProbe.check(faulty, SeededChance.world(1, false)))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("the object store [memory:] does not answer");
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
