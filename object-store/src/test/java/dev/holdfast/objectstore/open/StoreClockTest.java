package dev.holdfast.objectstore.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.file.FileStore;
import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nobody deletes by a clock that the store contradicts.
final class StoreClockTest {
  private static final long NOW = 1_800_000_000_000L;

  @TempDir Path folder;
  private final Hand clock = new Hand();
  private final World real = RealWorld.create();
  private final World world =
      new World(clock, real.sleeper(), real.ids(), real.chance(), real.tasks());
  private long storesMillis = NOW;
  private boolean fails;
  private int puts;

  /// Set by the test.
  private static final class Hand implements Clock {
    long nanos;
    long millis = NOW;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long epochMillis() {
      return millis;
    }

    void pass(Duration time) {
      nanos += time.toNanos();
      millis += time.toMillis();
    }
  }

  /// One whose lists say the time of the test.
  private ObjectStore dated() {
    MemoryStore memory = new MemoryStore();
    return (ObjectStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (_, method, arguments) -> {
              if (fails) {
                throw new StoreException.Unavailable(
                    StoreFailure.NETWORK, "does not answer", new java.io.IOException());
              }
              return switch (method.getName()) {
                case "put" -> {
                  puts++;
                  yield memory.put((String) arguments[0], (ObjectBody) arguments[1]);
                }
                case "list" ->
                    memory
                        .list((String) arguments[0], (String) arguments[1], (int) arguments[2])
                        .stream()
                        .map(one -> new Listed(one.key(), one.length(), storesMillis))
                        .toList();
                default -> throw new UnsupportedOperationException(method.getName());
              };
            });
  }

  @Test
  void clocksThatDifferByMinutesDoNotAgreeUntilTheyDo() {
    StoreClock storeClock = new StoreClock(world, dated());
    storesMillis = NOW - Duration.ofMinutes(6).toMillis();

    assertThat(storeClock.agrees()).isFalse();
    assertThat(storeClock.difference().orElseThrow()).contains("360 s ahead of");
    clock.pass(Duration.ofSeconds(59));
    assertThat(storeClock.agrees()).isFalse();
    assertThat(puts).isOne();

    clock.pass(Duration.ofSeconds(1));
    storesMillis = clock.millis;
    assertThat(storeClock.agrees()).isTrue();
    assertThat(storeClock.difference()).isEmpty();
  }

  @Test
  void aClockThatIsBehindDoesNotAgreeEither() {
    StoreClock storeClock = new StoreClock(world, dated());
    storesMillis = NOW + Duration.ofMinutes(6).toMillis();

    assertThat(storeClock.agrees()).isFalse();
    assertThat(storeClock.difference().orElseThrow()).contains("360 s behind");
  }

  @Test
  void clocksThatAgreeAreComparedAgainAfterAnHour() {
    StoreClock storeClock = new StoreClock(world, dated());
    storesMillis = NOW - Duration.ofMinutes(4).toMillis();

    assertThat(storeClock.agrees()).isTrue();
    clock.pass(Duration.ofMinutes(59));
    assertThat(storeClock.agrees()).isTrue();
    assertThat(puts).isOne();

    clock.pass(Duration.ofMinutes(1));
    assertThat(storeClock.agrees()).isFalse();
    assertThat(puts).isEqualTo(2);
  }

  @Test
  void aClockThatIsSetForwardIsComparedAtOnce() {
    StoreClock storeClock = new StoreClock(world, dated());
    assertThat(storeClock.agrees()).isTrue();

    clock.millis += Duration.ofHours(2).toMillis();

    assertThat(storeClock.agrees()).isFalse();
  }

  @Test
  void aStoreThatDoesNotAnswerSaysNothingInFavour() {
    StoreClock storeClock = new StoreClock(world, dated());
    fails = true;

    assertThat(storeClock.agrees()).isFalse();
    assertThat(storeClock.difference()).isEmpty();

    fails = false;
    clock.pass(Duration.ofMinutes(1));
    assertThat(storeClock.agrees()).isTrue();
  }

  @Test
  void aStoreThatTellsNoTimeContradictsNobody() {
    assertThat(new StoreClock(world, new MemoryStore()).agrees()).isTrue();
  }

  @Test
  void aFolderHasTheTimeOfWhoWritesIntoIt() throws Exception {
    FileStore files = new FileStore(folder);

    assertThat(new StoreClock(real, files).agrees()).isTrue();
    clock.millis = real.clock().epochMillis() + Duration.ofDays(1).toMillis();
    assertThat(new StoreClock(world, files).agrees()).isFalse();

    assertThat(files.list("", "", 10)).extracting(Listed::key).isEqualTo(List.of(StoreClock.KEY));
  }
}
