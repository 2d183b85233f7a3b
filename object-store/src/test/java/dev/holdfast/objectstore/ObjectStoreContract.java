package dev.holdfast.objectstore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.ObjectStore.Suffix;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every object store promises. A store passes the suite by a test class that implements this
/// and gives an empty store.
public interface ObjectStoreContract {
  int THREADS = 16;

  /// An empty store; stores that do not retry by themselves come in a `Retrying`.
  ObjectStore store() throws Exception;

  /// How many keys each race is run for.
  default int rounds() {
    return 20;
  }

  /// A swap that happened, whose answer was lost and that the next swapper overwrote can not be
  /// told from one that did not happen, so with lost answers a bare counter may count it twice.
  default boolean isEachSwapCountedOnce() {
    return true;
  }

  @Test
  default void whatIsPutCanBeRead() throws Exception {
    try (ObjectStore store = store()) {
      store.put("a/b", body("first"));
      assertThat(text(store.get("a/b"))).isEqualTo("first");

      store.put("a/b", body("second"));

      assertThat(text(store.get("a/b"))).isEqualTo("second");
      assertThat(store.get("a/c")).isEmpty();
      assertThat(store.get("a")).isEmpty();
    }
  }

  @Test
  default void emptyAndLargeObjectsComeBackWhole() throws Exception {
    try (ObjectStore store = store()) {
      byte[] large = new byte[3 << 20];
      new Random(7).nextBytes(large);
      store.put("large", ObjectBody.of(large));
      store.put("part", ObjectBody.of(large, 1000, 2000));
      store.put("empty", ObjectBody.of(new byte[0]));

      assertThat(bytes(store.get("large"))).isEqualTo(large);
      assertThat(bytes(store.get("part"))).isEqualTo(Arrays.copyOfRange(large, 1000, 3000));
      assertThat(bytes(store.get("empty"))).isEmpty();
      assertThat(store.getSuffix("empty", 10).objectLength()).isZero();
      assertThat(store.getRange("empty", 0, 10)).isEmpty();
    }
  }

  @Test
  default void rangesEndWithTheObject() throws Exception {
    try (ObjectStore store = store()) {
      store.put("digits", body("0123456789"));

      assertThat(store.getRange("digits", 2, 3)).asString(UTF_8).isEqualTo("234");
      assertThat(store.getRange("digits", 8, 100)).asString(UTF_8).isEqualTo("89");
      assertThat(store.getRange("digits", 0, 10)).asString(UTF_8).isEqualTo("0123456789");
      assertThat(store.getRange("digits", 10, 5)).isEmpty();
      assertThat(store.getRange("digits", 4, 0)).isEmpty();
      assertThatThrownBy(() -> store.getRange("digits", 11, 1))
          .isInstanceOf(StoreException.NotFound.class);
      assertThatThrownBy(() -> store.getRange("none", 0, 1))
          .isInstanceOf(StoreException.NotFound.class);
    }
  }

  @Test
  default void suffixesTellTheWholeLength() throws Exception {
    try (ObjectStore store = store()) {
      store.put("digits", body("0123456789"));

      Suffix three = store.getSuffix("digits", 3);
      Suffix all = store.getSuffix("digits", 64);

      assertThat(three.bytes()).asString(UTF_8).isEqualTo("789");
      assertThat(three.objectLength()).isEqualTo(10);
      assertThat(all.bytes()).asString(UTF_8).isEqualTo("0123456789");
      assertThat(all.objectLength()).isEqualTo(10);
      assertThat(store.getSuffix("digits", 0).objectLength()).isEqualTo(10);
      assertThatThrownBy(() -> store.getSuffix("none", 1))
          .isInstanceOf(StoreException.NotFound.class);
    }
  }

  @Test
  default void putIfAbsentNeverReplaces() throws Exception {
    try (ObjectStore store = store()) {
      assertThat(store.putIfAbsent("log/1", body("ours"))).isInstanceOf(Creation.Created.class);
      assertThat(store.putIfAbsent("log/1", body("theirs")))
          .isInstanceOf(Creation.AlreadyExists.class);

      assertThat(text(store.get("log/1"))).isEqualTo("ours");

      store.deleteAll(List.of("log/1"));
      assertThat(store.putIfAbsent("log/1", body("again"))).isInstanceOf(Creation.Created.class);
    }
  }

  @Test
  default void oneOfManyCreatesAnObject() throws Exception {
    try (ObjectStore store = store()) {
      for (int round = 0; round < rounds(); round++) {
        String key = "race/" + round;
        List<Creation> creations =
            Race.of(THREADS, i -> () -> store.putIfAbsent(key, body("writer " + i)));

        List<Integer> winners =
            IntStream.range(0, THREADS)
                .filter(i -> creations.get(i) instanceof Creation.Created)
                .boxed()
                .toList();
        assertThat(winners).as("creators of %s", key).hasSize(1);
        assertThat(text(store.get(key))).isEqualTo("writer " + winners.getFirst());
      }
    }
  }

  @Test
  default void compareAndSetNeedsTheNewestVersion() throws Exception {
    try (ObjectStore store = store()) {
      Version first = swapped(store.compareAndSet("lease", null, utf8("one")));
      assertThat(store.compareAndSet("lease", null, utf8("other"))).isEqualTo(new Swap.Conflict());
      StoredObject read = store.get("lease").orElseThrow();
      assertThat(new String(read.bytes(), UTF_8)).isEqualTo("one");
      assertThat(read.version()).isEqualTo(first);

      Version second = swapped(store.compareAndSet("lease", first, utf8("two")));
      assertThat(store.compareAndSet("lease", first, utf8("two"))).isEqualTo(new Swap.Conflict());

      // The same bytes again are another version: who saw the first one must not win (ABA).
      swapped(store.compareAndSet("lease", second, utf8("one")));
      assertThat(store.compareAndSet("lease", first, utf8("late"))).isEqualTo(new Swap.Conflict());
      assertThat(text(store.get("lease"))).isEqualTo("one");
    }
  }

  @Test
  default void compareAndSetOfADeletedObjectConflicts() throws Exception {
    try (ObjectStore store = store()) {
      Version version = swapped(store.compareAndSet("lease", null, utf8("one")));
      store.deleteAll(List.of("lease"));

      assertThat(store.get("lease")).isEmpty();
      assertThat(store.compareAndSet("lease", version, utf8("two"))).isEqualTo(new Swap.Conflict());
      assertThat(store.compareAndSet("lease", null, utf8("three")))
          .isInstanceOf(Swap.Swapped.class);
    }
  }

  @Test
  default void aPlainObjectCanBecomeARegisterAndBack() throws Exception {
    try (ObjectStore store = store()) {
      Version plain = store.put("node", body("plain"));
      assertThat(store.get("node").orElseThrow().version()).isEqualTo(plain);

      swapped(store.compareAndSet("node", plain, utf8("register")));
      assertThat(text(store.get("node"))).isEqualTo("register");
      assertThat(store.putIfAbsent("node", body("other")))
          .isInstanceOf(Creation.AlreadyExists.class);

      store.put("node", body("plain again"));
      assertThat(text(store.get("node"))).isEqualTo("plain again");
      assertThat(keys(store.list("", "", 10))).containsExactly("node");
    }
  }

  @Test
  default void oneOfManySwapsAndNoneIsLost() throws Exception {
    try (ObjectStore store = store()) {
      int swapsEach = 5;
      swapped(store.compareAndSet("counter", null, utf8("0")));

      Race.of(
          THREADS,
          i ->
              () -> {
                for (int done = 0; done < swapsEach; ) {
                  StoredObject read = store.get("counter").orElseThrow();
                  int count = Integer.parseInt(new String(read.bytes(), UTF_8));
                  byte[] next = utf8(Integer.toString(count + 1));
                  if (store.compareAndSet("counter", read.version(), next)
                      instanceof Swap.Swapped) {
                    done++;
                  }
                }
                return true;
              });

      int counted = Integer.parseInt(text(store.get("counter")));
      assertThat(counted)
          .isBetween(
              THREADS * swapsEach,
              isEachSwapCountedOnce() ? THREADS * swapsEach : Integer.MAX_VALUE);
    }
  }

  @Test
  default void oneOfManyCreatesARegister() throws Exception {
    try (ObjectStore store = store()) {
      for (int round = 0; round < rounds(); round++) {
        String key = "registers/" + round;
        List<Swap> swaps =
            Race.of(THREADS, i -> () -> store.compareAndSet(key, null, utf8("same for all")));

        assertThat(swaps).as(key).filteredOn(Swap.Swapped.class::isInstance).hasSize(1);
      }
    }
  }

  @Test
  default void listsAreInByteOrder() throws Exception {
    try (ObjectStore store = store()) {
      List<String> keys =
          List.of(
              "a-b", "a.b", "a/-", "a/b/c", "a/b0", "a/~x", "a0", "aB", "a_b", "ab", "b/c", "c~");
      for (String key : keys.reversed()) {
        store.put(key, body(key));
      }

      assertThat(keys(store.list("", "", 100))).containsExactlyElementsOf(keys);
      assertThat(keys(store.list("a", "", 100))).containsExactlyElementsOf(keys.subList(0, 10));
      assertThat(keys(store.list("a/", "", 100))).containsExactlyElementsOf(keys.subList(2, 6));
      assertThat(keys(store.list("a/b", "", 100))).containsExactly("a/b/c", "a/b0");
      assertThat(keys(store.list("a/b/", "", 100))).containsExactly("a/b/c");
      assertThat(store.list("x", "", 100)).isEmpty();
      for (int i = 0; i < keys.size(); i++) {
        assertThat(keys(store.list("", keys.get(i), 3)))
            .containsExactlyElementsOf(keys.subList(i + 1, Math.min(i + 4, keys.size())));
      }
      assertThat(keys(store.list("a/", "a/c", 100))).containsExactly("a/~x");
      assertThat(keys(store.list("b", "a/b", 100))).containsExactly("b/c");
      assertThat(store.list("a/", "b", 100)).isEmpty();
      Listed listed = store.list("a/b/", "", 1).getFirst();
      assertThat(listed.length()).isEqualTo("a/b/c".length());
    }
  }

  @Test
  default void listsFollowWritesAndDeletionsAtOnce() throws Exception {
    try (ObjectStore store = store()) {
      for (int i = 0; i < 30; i++) {
        String key = "log/%03d".formatted(i);
        store.putIfAbsent(key, body("x"));
        assertThat(keys(store.list("log/", "", 1000))).hasSize(i + 1).endsWith(key);
      }

      store.deleteAll(List.of("log/000", "log/029", "log/none"));

      assertThat(keys(store.list("log/", "", 1000))).hasSize(28).startsWith("log/001");
      assertThat(store.get("log/029")).isEmpty();
    }
  }

  @Test
  default void manyObjectsAreDeletedInOneCall() throws Exception {
    try (ObjectStore store = store()) {
      List<String> keys = IntStream.range(0, 120).mapToObj(i -> "many/%04d".formatted(i)).toList();
      for (String key : keys) {
        store.put(key, body(key));
      }

      store.deleteAll(keys);

      assertThat(store.list("", "", 10)).isEmpty();
      store.deleteAll(keys);
      store.deleteAll(List.of());
    }
  }

  @Test
  default void copiesAreIndependent() throws Exception {
    try (ObjectStore store = store()) {
      store.put("from/a", body("content"));
      store.put("to/b", body("old"));

      store.copy("from/a", "to/b");
      store.deleteAll(List.of("from/a"));

      assertThat(text(store.get("to/b"))).isEqualTo("content");
      assertThatThrownBy(() -> store.copy("from/a", "to/c"))
          .isInstanceOf(StoreException.NotFound.class);
    }
  }

  @Test
  default void readersSeeOneWriteOrTheOther() throws Exception {
    try (ObjectStore store = store()) {
      byte[] zeros = new byte[256 << 10];
      byte[] ones = new byte[300 << 10];
      Arrays.fill(ones, (byte) 1);
      store.put("torn", ObjectBody.of(zeros));

      List<Boolean> whole =
          Race.of(
              4,
              i ->
                  () -> {
                    boolean isWhole = true;
                    for (int n = 0; n < 10; n++) {
                      if (i == 0) {
                        store.put("torn", ObjectBody.of(n % 2 == 0 ? ones : zeros));
                      } else {
                        byte[] read = bytes(store.get("torn"));
                        isWhole &= Arrays.equals(read, zeros) || Arrays.equals(read, ones);
                      }
                    }
                    return isWhole;
                  });

      assertThat(whole).containsOnly(true);
    }
  }

  @Test
  default void writesAndDeletionsOfNeighboursDoNotDisturb() throws Exception {
    try (ObjectStore store = store()) {
      Race.of(
          THREADS,
          i ->
              () -> {
                for (int n = 0; n < rounds(); n++) {
                  String key = "folder/sub/" + i;
                  assertThat(store.putIfAbsent(key, body("x")))
                      .isInstanceOf(Creation.Created.class);
                  store.deleteAll(List.of(key));
                }
                return true;
              });

      assertThat(store.list("", "", 10)).isEmpty();
    }
  }

  @Test
  default void keysCannotLeadOutOfTheStore() throws Exception {
    try (ObjectStore store = store()) {
      for (String key :
          List.of("", "/a", "a/", "a//b", "../a", "a/../b", "a/.", "a b", "ä", "a+b")) {
        assertThatThrownBy(() -> store.put(key, body("x")))
            .as(key)
            .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.get(key)).as(key).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.deleteAll(List.of(key)))
            .as(key)
            .isInstanceOf(IllegalStateException.class);
      }
    }
  }

  static ObjectBody body(String text) {
    return ObjectBody.of(utf8(text));
  }

  static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  static byte[] bytes(Optional<StoredObject> object) {
    return object.orElseThrow().bytes();
  }

  static String text(Optional<StoredObject> object) {
    return new String(bytes(object), UTF_8);
  }

  static Version swapped(Swap swap) {
    assertThat(swap).isInstanceOf(Swap.Swapped.class);
    return ((Swap.Swapped) swap).version();
  }

  static List<String> keys(List<Listed> listed) {
    return listed.stream().map(Listed::key).toList();
  }
}
