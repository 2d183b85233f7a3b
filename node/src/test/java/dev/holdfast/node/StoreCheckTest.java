package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `holdfast store check` over the store of a node.
final class StoreCheckTest {
  @TempDir Path folder;

  private static List<Path> objects(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !store.relativize(file).toString().contains("+")) // the store's own
          .sorted()
          .toList();
    }
  }

  private static String check(Path store, String... more) {
    StringWriter said = new StringWriter();
    List<String> words = new ArrayList<>(List.of("store", "check", "--store", "file:" + store));
    words.addAll(List.of(more));
    int status = Main.run(new PrintWriter(said), words.toArray(String[]::new));
    return status + " " + said;
  }

  @Test
  void anyFlippedBitOfAnyObjectIsFoundAndNamed() throws Exception {
    Path store = folder.resolve("store");
    try (NodeFixture node = new NodeFixture(folder)) {
      node.fill("books", 300);
      var _ = node.ok("POST", "/books/_flush", "");
      node.fill("films", 100);
    }
    assertThat(check(store)).startsWith("0 checked").contains(" 0 damaged");
    Random random = new Random(3);
    List<Path> objects = objects(store);
    assertThat(objects).hasSizeGreaterThan(3);
    for (int i = 0; i < 60; i++) {
      Path object = objects.get(random.nextInt(objects.size()));
      byte[] whole = Files.readAllBytes(object);
      byte[] flipped = whole.clone();
      int at = random.nextInt(whole.length);
      flipped[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(object, flipped);
      String key = store.relativize(object).toString();
      assertThat(check(store))
          .as("byte %s of %s", at, key)
          .startsWith("1 damaged key=" + key)
          .contains(" 1 damaged");
      Files.write(object, whole);
    }
  }

  /// Of a name that is mistyped it had said that all is well.
  @Test
  void whereThereIsNoClusterNothingIsWell() throws Exception {
    Path none = folder.resolve("none");
    assertThat(check(none)).isEqualTo("1 holdfast: there is no such folder: [file:" + none + "]\n");
    assertThat(none).doesNotExist();

    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("letter"), "not ours");
    assertThat(check(other))
        .startsWith("1 checked 1 objects")
        .endsWith("holdfast: there is no cluster in [file:" + other + "]\n");
  }

  /// What it takes for its progress it deletes at the end.
  @Test
  void aFileThatIsNoProgressOfThisStoreStaysWhereItIs() throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));
    Path letter = Files.writeString(folder.resolve("letter.json"), "{\"dear\":\"reader\"}");
    assertThat(check(store, "--resume", letter.toString()))
        .startsWith("1 holdfast: not the progress of a check");
    assertThat(letter).exists();

    Path other =
        Files.writeString(
            folder.resolve("other"), "{\"store\":\"s3://b\",\"after\":\"a\",\"objects\":1}");
    assertThat(check(store, "--resume", other.toString()))
        .startsWith("1 holdfast: the progress is that of another store");
    assertThat(other).exists();

    Path nowhere = folder.resolve("gone").resolve("progress");
    assertThat(check(store, "--resume", nowhere.toString()))
        .startsWith("1 holdfast: the progress cannot be kept");
  }
}
