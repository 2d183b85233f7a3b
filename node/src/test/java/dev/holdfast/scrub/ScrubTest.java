package dev.holdfast.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The scrub, and checks that go on where they were interrupted.
final class ScrubTest {
  private static final ScrubConfig FAST = new ScrubConfig(ByteSize.mib(1000), Duration.ofDays(1));

  private static final String BLOB = "shards/ab/uuid/0/fffffffffffffffe/fffffffffffffffd";

  private final World world = RealWorld.create();
  private final MemoryStore store = new MemoryStore();

  private void put(int number, boolean isDamaged) throws Exception {
    byte[] sealed =
        ChecksummedBytes.seal("HFCS", 1, ("state " + number).getBytes(StandardCharsets.UTF_8));
    sealed[20] ^= (byte) (isDamaged ? 1 : 0);
    var _ = store.put(key(number), ObjectBody.of(sealed));
  }

  private static String key(int number) {
    return String.format(Locale.ROOT, "cluster/state/%016x/%016x", 1, number);
  }

  @Test
  void aRoundFindsWhatIsDamagedAndForgetsWhatIsMended() throws Exception {
    for (int i = 0; i < 50; i++) {
      put(i, i == 17);
    }
    var _ = store.put(BLOB, ObjectBody.of(new byte[100]));
    Scrub scrub = new Scrub(world, store, () -> true, FAST);
    scrub.round();
    assertThat(scrub.report().damaged()).containsOnlyKeys(key(17), BLOB);
    assertThat(scrub.report().damaged().get(key(17))).contains(key(17));
    assertThat(scrub.report().rounds()).isEqualTo(1);
    assertThat(scrub.report().objects()).isGreaterThanOrEqualTo(51);

    put(17, false);
    store.deleteAll(List.of(BLOB));
    scrub.round();
    assertThat(scrub.report().damaged()).isEmpty();
    assertThat(scrub.report().damages()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void whatIsNotOursIsNoDamage() throws Exception {
    List<String> foreign =
        List.of(
            "cluster/notes",
            "cluster/state/0000000000000001/notes",
            "cluster/state/notes",
            "log/node/notes",
            "log/notes",
            "notes",
            "shards/ab/notes",
            "shards/ab/uuid/0/fffffffffffffffe/notes",
            "shards/ab/uuid/0/notes");
    for (String key : foreign) {
      var _ = store.put(key, ObjectBody.of("mine".getBytes(StandardCharsets.UTF_8)));
    }
    put(1, false);
    List<String> unknown = new ArrayList<>();

    boolean isEnd =
        new StoreScan(world, store, 0, 1)
            .run(
                "",
                (object, result) -> {
                  assertThat(result.damages()).as(object.key()).isEmpty();
                  if (!result.isKnown()) {
                    unknown.add(object.key());
                  }
                });

    assertThat(isEnd).isTrue();
    assertThat(unknown).isEqualTo(foreign);
  }

  @Test
  void aNodeThatDoesNotLeadAnyMoreStops() throws Exception {
    for (int i = 0; i < 50; i++) {
      put(i, false);
    }
    Scrub scrub = new Scrub(world, store, () -> false, FAST);
    scrub.round();
    assertThat(scrub.report().objects()).isLessThanOrEqualTo(2);
    assertThat(scrub.report().rounds()).isZero();
  }

  @Test
  void aCheckGoesOnWhereItStopped(@TempDir Path folder) throws Exception {
    for (int i = 0; i < 20; i++) {
      put(i, i == 3 || i == 15);
    }
    Path file = folder.resolve("progress");
    List<String> damaged = new ArrayList<>();
    for (int part = 0; part < 2; part++) {
      CheckProgress[] progress = {CheckProgress.read(file, "one")};
      boolean isFirst = part == 0;
      boolean isEnd =
          new StoreScan(world, store, 0, 1)
              .run(
                  progress[0].after(),
                  new StoreScan.Listener() {
                    @Override
                    public void checked(ObjectStore.Listed object, ObjectCheck.Checked result) {
                      progress[0] = progress[0].with(object.length(), result);
                      result.damages().forEach(damage -> damaged.add(damage.key()));
                    }

                    @Override
                    public boolean passed(String key) {
                      progress[0] = progress[0].after(key);
                      return !isFirst || !key.equals(key(9));
                    }
                  });
      assertThat(isEnd).isEqualTo(!isFirst);
      assertThat(progress[0].objects()).isEqualTo(isFirst ? 10 : 20);
      progress[0].save();
    }
    assertThat(damaged).containsExactly(key(3), key(15));
    assertThat(CheckProgress.read(file, "one").damaged()).isEqualTo(2);
  }

  @Test
  void whatANewerBuildWroteInterruptsNoRound() throws Exception {
    ByteBuffer trailer = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
    trailer.put("HFCC".getBytes(StandardCharsets.US_ASCII)).putInt(99);
    CRC32C crc = new CRC32C();
    crc.update(trailer.array(), 0, 28);
    trailer.putInt(28, (int) crc.getValue());
    var _ = store.put(BLOB, ObjectBody.of(trailer.array()));
    put(1, false);

    Scrub scrub = new Scrub(world, store, () -> true, FAST);
    scrub.round();

    assertThat(scrub.report().rounds()).isEqualTo(1);
    assertThat(scrub.report().damaged()).isEmpty();
  }

  private static List<Throwable> interruptions() {
    return List.of(
        new StoreException.Unavailable("no answer", null), new NoClassDefFoundError("gone"));
  }

  @ParameterizedTest
  @MethodSource("interruptions")
  void aRoundThatWasInterruptedIsNotLeftAloneForLong(Throwable why) throws Exception {
    AtomicLong nanos = new AtomicLong();
    Clock clock =
        new Clock() {
          @Override
          public long nanoTime() {
            return nanos.get();
          }

          @Override
          public long epochMillis() {
            return world.clock().epochMillis();
          }
        };
    AtomicReference<Tasks.Work> tick = new AtomicReference<>(() -> {});
    Tasks tasks =
        (Tasks)
            Proxy.newProxyInstance(
                Tasks.class.getClassLoader(),
                new Class<?>[] {Tasks.class},
                (_, _, arguments) -> {
                  tick.set((Tasks.Work) arguments[2]);
                  return null;
                });
    World timed = new World(clock, world.sleeper(), world.ids(), world.chance(), tasks);
    AtomicBoolean fails = new AtomicBoolean();
    ObjectStore failing =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (_, method, arguments) -> {
                  if (fails.get()) {
                    throw why;
                  }
                  return method.invoke(store, arguments);
                });
    Scrub scrub = new Scrub(timed, failing, () -> true, FAST);
    scrub.start();
    tick.get().run(); // this node has just begun to lead

    fails.set(true);
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    tick.get().run();
    assertThat(scrub.report().rounds()).isZero();

    fails.set(false);
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    tick.get().run();
    assertThat(scrub.report().rounds()).isEqualTo(1);
  }

  @Test
  void aRateIsKept() throws Exception {
    ByteRate rate = new ByteRate(world, 1_000_000);
    long begin = world.clock().nanoTime();
    for (int i = 0; i < 11; i++) {
      rate.take(10_000);
    }
    assertThat(world.clock().nanoTime() - begin).isGreaterThan(90_000_000L);
  }
}
