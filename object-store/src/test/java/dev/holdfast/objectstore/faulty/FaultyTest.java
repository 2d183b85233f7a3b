package dev.holdfast.objectstore.faulty;

import static dev.holdfast.objectstore.ObjectStoreContract.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.SeededChance;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Faults come as ordered, and again from the same seed.
final class FaultyTest {
  private final List<Duration> waits = new ArrayList<>();

  private World world(long seed) {
    World real = World.real();
    return new World(real.clock(), waits::add, real.ids(), new SeededChance(seed), real.tasks());
  }

  @Test
  void aSeedRepeatsItsFaults() {
    assertThat(outcomes(42)).isEqualTo(outcomes(42)).isNotEqualTo(outcomes(43));
    assertThat(outcomes(42)).contains(true, false);
  }

  private List<Boolean> outcomes(long seed) {
    Faulty store = new Faulty(new MemoryStore(), world(seed), StoreFaults.STORM);
    List<Boolean> outcomes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      try {
        store.put("a" + i, body("x"));
        outcomes.add(true);
      } catch (StoreException e) {
        outcomes.add(false);
      }
    }
    return outcomes;
  }

  @Test
  void aLostAnswerComesAfterTheWriteAndAnErrorBeforeIt() throws Exception {
    MemoryStore memory = new MemoryStore();
    Faulty store = new Faulty(memory, world(1), StoreFaults.NONE.withLostAnswer(1));
    assertThatThrownBy(() -> store.put("done", body("x")))
        .isInstanceOf(StoreException.Unavailable.class);
    store.faults(StoreFaults.NONE.withErrorBefore(1));
    assertThatThrownBy(() -> store.put("not", body("x")))
        .isInstanceOf(StoreException.Unavailable.class);

    assertThat(memory.get("done")).isPresent();
    assertThat(memory.get("not")).isEmpty();
  }

  @Test
  void anOutageEndsWhenItIsOver() throws Exception {
    Faulty store = new Faulty(new MemoryStore(), world(1), StoreFaults.NONE);
    store.outage(true);
    assertThatThrownBy(() -> store.list("", "", 1)).isInstanceOf(StoreException.Unavailable.class);
    store.outage(false);
    assertThat(store.list("", "", 1)).isEmpty();
  }

  @Test
  void burstsHaveTheirLength() throws Exception {
    Faulty store = new Faulty(new MemoryStore(), world(1), StoreFaults.NONE.withBursts(0.05, 4));
    int longest = 0;
    int now = 0;
    for (int i = 0; i < 300; i++) {
      try {
        store.get("a");
        now = 0;
      } catch (StoreException.Unavailable e) {
        longest = Math.max(longest, ++now);
      }
    }
    assertThat(longest).isGreaterThanOrEqualTo(4);
  }

  @Test
  void latencyHasItsMedianAndTail() throws Exception {
    Faulty store = new Faulty(new MemoryStore(), world(1), StoreFaults.NONE.withLatency(100, 200));
    for (int i = 0; i < 2000; i++) {
      store.put("a", body("x"));
    }
    waits.sort(Duration::compareTo);
    assertThat(waits.get(1000)).isBetween(Duration.ofMillis(95), Duration.ofMillis(105));
    assertThat(waits.get(1980)).isBetween(Duration.ofMillis(180), Duration.ofMillis(225));
  }

  @Test
  void getsTakeTheirFixedTimeAndOthersDoNot() throws Exception {
    Faulty store = new Faulty(new MemoryStore(), world(1), StoreFaults.NONE.withGetMillis(63));
    store.put("a", body("x"));
    assertThat(waits).isEmpty();
    store.getSuffix("a", 1);
    assertThat(waits).containsExactly(Duration.ofMillis(63));
  }
}
