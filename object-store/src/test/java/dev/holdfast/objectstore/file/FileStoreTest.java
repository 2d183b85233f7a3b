package dev.holdfast.objectstore.file;

import static dev.holdfast.objectstore.ObjectStoreContract.body;
import static dev.holdfast.objectstore.ObjectStoreContract.keys;
import static dev.holdfast.objectstore.ObjectStoreContract.swapped;
import static dev.holdfast.objectstore.ObjectStoreContract.text;
import static dev.holdfast.objectstore.ObjectStoreContract.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.objectstore.Race;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is particular about the store in a local folder.
final class FileStoreTest {
  @TempDir Path root;

  @Test
  void plainObjectsAreFilesOfExactlyTheirBytes() throws Exception {
    FileStore store = new FileStore(root);
    store.putIfAbsent("shards/a/1", body("blob"));
    store.compareAndSet("cluster/lease", null, utf8("lease"));

    assertThat(store.localFile("shards/a/1")).contains(root.toRealPath().resolve("shards/a/1"));
    assertThat(root.resolve("shards/a/1")).hasBinaryContent(utf8("blob"));
    assertThat(store.localFile("cluster/lease")).isEmpty();
    assertThat(store.localFile("shards/a")).isEmpty();
    assertThat(store.list("cluster/", "", 9).getFirst().length()).isEqualTo(5);
  }

  @Test
  void aFolderThatGoesAwayIsOutOfReachAndComesBack() throws Exception {
    Path mounted = root.resolve("mounted");
    Path away = root.resolve("away");
    FileStore store = new FileStore(mounted);
    store.put("a/b", body("x"));
    Version lease = swapped(store.compareAndSet("cluster/lease", null, utf8("lease")));

    for (boolean isMountPointLeft : List.of(false, true)) {
      Files.move(mounted, away);
      if (isMountPointLeft) {
        Files.createDirectory(mounted);
      }

      assertGone("get", () -> store.get("a/b"));
      assertGone("range", () -> store.getRange("a/b", 0, 1));
      assertGone("suffix", () -> store.getSuffix("a/b", 1));
      assertGone("list", () -> store.list("", "", 9));
      assertGone("put", () -> store.put("a/c", body("y")));
      assertGone("put if absent", () -> store.putIfAbsent("a/d", body("y")));
      assertGone("swap", () -> store.compareAndSet("cluster/lease", lease, utf8("other")));
      assertGone("copy", () -> store.copy("a/b", "a/e"));
      assertGone("delete", () -> store.deleteAll(List.of("a/b")));
      assertThat(mounted.toFile().list()).as("nothing is made in its place").isNullOrEmpty();

      Files.deleteIfExists(mounted);
      Files.move(away, mounted);
    }
    assertThat(text(store.get("a/b"))).isEqualTo("x");
    assertThat(store.compareAndSet("cluster/lease", lease, utf8("other")))
        .isInstanceOf(Swap.Swapped.class);
    assertThat(keys(store.list("", "", 9))).containsExactly("a/b", "cluster/lease");
  }

  private static void assertGone(String what, ThrowingCallable call) {
    assertThat(catchThrowableOfType(StoreException.Unavailable.class, call))
        .as(what)
        .isNotNull()
        .hasMessageContaining("is it still mounted?")
        .returns(StoreFailure.NO_BUCKET, StoreException.Unavailable::failure);
  }

  @Test
  void foldersOfItsOwnThatACleanerTookAreMadeAgain() throws Exception {
    FileStore store = new FileStore(root);
    store.put("a/b", body("x"));
    for (String folder : List.of("+temp", "+locks")) {
      try (Stream<Path> files = Files.list(root.resolve(folder))) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(root.resolve(folder));

      assertThat(text(store.get("a/b"))).isEqualTo("x");
      assertThat(store.get("a/missing")).isEmpty();
      store.put("a/" + folder.substring(1), body("y"));
    }
    assertThat(keys(store.list("", "", 9))).containsExactly("a/b", "a/locks", "a/temp");
  }

  @Test
  void aCopyMovesNoBytesAndStaysAsItIs() throws Exception {
    FileStore store = new FileStore(root);
    store.put("from/a", body("old"));
    store.copy("from/a", "to/b");
    assertThat(Files.isSameFile(root.resolve("from/a"), root.resolve("to/b"))).isTrue();

    store.copy("from/a", "to/b"); // once more, by somebody who does not know of the first
    store.put("from/a", body("new"));

    assertThat(text(store.get("to/b"))).isEqualTo("old");
    assertThat(text(store.get("from/a"))).isEqualTo("new");
    assertThat(root.resolve("+temp")).isEmptyDirectory();
  }

  @Test
  void noKeyIsAPathPrefixOfAnother() throws Exception {
    for (ObjectStore store : List.of(new FileStore(root), new MemoryStore())) {
      store.put("a/b", body("x"));
      store.compareAndSet("r/b", null, utf8("x"));

      for (String key : List.of("a", "a/b/c", "a/b/c/d")) {
        assertThatThrownBy(() -> store.put(key, body("y")))
            .as(store.name() + " " + key)
            .hasMessageContaining("no key is a path prefix of another");
        assertThatThrownBy(() -> store.putIfAbsent(key, body("y")))
            .as(store.name() + " " + key)
            .hasMessageContaining("no key is a path prefix of another");
      }
      assertThat(store.get("a/b/c")).isEmpty();
      store.deleteAll(List.of("a/b/c", "a"));
      assertThat(keys(store.list("", "", 10))).containsExactly("a/b", "r/b");
      assertThat(text(store.get("a/b"))).isEqualTo("x");
    }
  }

  @Test
  void emptyFoldersGoWithTheirLastObject() throws Exception {
    FileStore store = new FileStore(root);
    store.put("a/b/c/d", body("x"));
    store.put("a/e", body("x"));

    store.deleteAll(List.of("a/b/c/d"));

    assertThat(root.resolve("a/b")).doesNotExist();
    assertThat(root.resolve("a/e")).exists();
    Files.createDirectories(root.resolve("left/over"));
    store.deleteAll(List.of("left/over/none"));
    store.put("left/over", body("takes an empty folder's place"));
    assertThat(text(store.get("left/over"))).startsWith("takes");
  }

  @Test
  void leftOversOfCrashedWritersAreSweptWhenOld() throws Exception {
    new FileStore(root).close();
    Path old = Files.writeString(root.resolve("+temp/123-1"), "half a blob");
    Path young = Files.writeString(root.resolve("+temp/456-1"), "half a blob, being written");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofMinutes(61))));

    FileStore store = new FileStore(root);

    assertThat(old).doesNotExist();
    assertThat(young).exists();
    assertThat(store.list("", "", 10)).isEmpty();
  }

  @Test
  void writesLeaveNothingBehind() throws Exception {
    FileStore store = new FileStore(root);
    store.putIfAbsent("a", body("x"));
    store.putIfAbsent("a", body("y"));
    store.put("a", body("z"));
    store.compareAndSet("r", null, utf8("1"));
    store.compareAndSet("r", null, utf8("2"));

    try (Stream<Path> left = Files.list(root.resolve("+temp"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aRegisterReplacedByAPlainObjectDoesNotComeBack() throws Exception {
    // Given a crash between the two steps of a put over a register.
    FileStore store = new FileStore(root);
    swapped(store.compareAndSet("node", null, utf8("register")));
    Files.writeString(root.resolve("node"), "plain");

    assertThat(text(store.get("node"))).isEqualTo("plain");
    assertThat(keys(store.list("", "", 10))).containsExactly("node");
    store.deleteAll(List.of("node"));
    assertThat(store.get("node")).isEmpty();
  }

  @Test
  void aDamagedRegisterIsRefused() throws Exception {
    FileStore store = new FileStore(root);
    store.compareAndSet("lease", null, utf8("term 7"));
    Path file = root.resolve("lease+register");
    byte[] bytes = Files.readAllBytes(file);

    for (int i = 0; i < bytes.length; i++) {
      byte[] flipped = bytes.clone();
      flipped[i] ^= 1;
      Files.write(file, flipped);
      assertThatThrownBy(() -> store.get("lease"))
          .as("byte %d", i)
          .isInstanceOf(StoreException.Denied.class)
          .hasMessageStartingWith("register damaged");
    }
  }

  @Test
  void whoKnowsWhatADamagedRegisterShouldBeReplacesIt() throws Exception {
    FileStore store = new FileStore(root);
    Version written = swapped(store.compareAndSet("lease", null, utf8("term 7")));
    for (byte[] damage : List.of(new byte[0], new byte[] {1, 2, 3}, utf8("x".repeat(100)))) {
      Files.write(root.resolve("lease+register"), damage);
      StoreException.Denied denied =
          catchThrowableOfType(StoreException.Denied.class, () -> store.get("lease"));
      Version damaged = denied.damagedVersion();

      assertThat(store.compareAndSet("lease", written, utf8("term 8")))
          .isInstanceOf(Swap.Conflict.class);
      assertThat(store.compareAndSet("lease", null, utf8("term 8")))
          .isInstanceOf(Swap.Conflict.class);
      written = swapped(store.compareAndSet("lease", damaged, utf8("term 8")));

      assertThat(text(store.get("lease"))).isEqualTo("term 8");
    }
  }

  /// It was read again and again, for ever.
  @Test
  void aFolderInThePlaceOfARegisterIsDamage() throws Exception {
    FileStore store = new FileStore(root);
    Path folder = Files.createDirectories(root.resolve("lease+register"));
    StoreException.Denied denied =
        catchThrowableOfType(StoreException.Denied.class, () -> store.get("lease"));
    assertThat(denied).hasMessageContaining("a folder lies in its place");
    Path within = Files.createFile(folder.resolve("somebody's"));

    assertThatThrownBy(() -> store.compareAndSet("lease", denied.damagedVersion(), utf8("term 8")))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("move it away [" + folder.toRealPath());
    Files.delete(within);

    Version _ = swapped(store.compareAndSet("lease", denied.damagedVersion(), utf8("term 8")));
    assertThat(text(store.get("lease"))).isEqualTo("term 8");
  }

  @Test
  void theHeaderOfARegisterKeepsItsFormat() throws Exception {
    assertThat(FileRegister.encode(0x0102030405060708L, 9, utf8("term")))
        .asHexString()
        .isEqualTo(
            "484F4C4446524731"
                + "0102030405060708"
                + "0000000000000009"
                + "956026BA"
                + "00000000"
                + "7465726D");
  }

  @Test
  void oneOfManyProcessesWins() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  FileStoreRacer.class.getName(),
                  root.toString())
              .redirectErrorStream(true)
              .start());
    }
    int created = 0;
    for (Process process : processes) {
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
      created += Integer.parseInt(said.strip().lines().toList().getLast());
    }

    FileStore store = new FileStore(root);
    assertThat(created).isEqualTo(FileStoreRacer.KEYS);
    assertThat(text(store.get("counter"))).isEqualTo(Integer.toString(3 * FileStoreRacer.SWAPS));
  }

  @Test
  void whatCanNotBeOpenedIsSaidInOneSentence() throws Exception {
    Path file = Files.writeString(root.resolve("file"), "x");
    assertThatThrownBy(() -> new FileStore(file))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessage("the store's path [" + file + "] is not a folder");
    assertThatThrownBy(() -> new FileStore(file.resolve("below")))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("[" + file.resolve("below") + "]");
  }

  @Test
  void aListOfOneFolderReadsOnlyThatFolder() throws Exception {
    FileStore store = new FileStore(root);
    for (String key : List.of("shards/aa/1", "shards/aa/2", "shards/bb/1")) {
      store.put(key, body("x"));
    }
    makeUnreadable(root.resolve("shards/bb"));

    assertThat(keys(store.list("shards/aa/", "", 10)))
        .containsExactly("shards/aa/1", "shards/aa/2");
    assertThat(keys(store.list("shards/aa/", "shards/aa/1", 1))).containsExactly("shards/aa/2");
  }

  private static void makeUnreadable(Path folder) throws IOException {
    // A file in the folder's place: reading it as a folder would fail.
    Files.delete(folder.resolve("1"));
    Files.delete(folder);
    Files.writeString(folder, "not a folder");
  }

  @Test
  void aWriterSurvivesOthersDeletingItsFolder() throws Exception {
    FileStore store = new FileStore(root);
    FileStore other = new FileStore(root);
    Race.of(
        4,
        i ->
            () -> {
              for (int n = 0; n < 100; n++) {
                String key = "deep/folder/" + i;
                ObjectStore mine = i % 2 == 0 ? store : other;
                assertThat(mine.putIfAbsent(key, body("x"))).isInstanceOf(Creation.Created.class);
                assertThat(mine.compareAndSet(key, null, utf8("y"))).isEqualTo(new Swap.Conflict());
                mine.deleteAll(List.of(key));
              }
              return true;
            });
    assertThat(root.resolve("deep")).doesNotExist();
  }
}
