package dev.holdfast.objectstore.open;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.file.FileStore;
import dev.holdfast.world.World;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A URL opens its store, and nothing of the others'.
final class StoresTest {
  @TempDir Path folder;
  private final World world = World.real();

  @Test
  void eachUrlOpensItsStore() throws Exception {
    for (String url :
        List.of("file:" + folder, "file://" + folder, folder.toString(), folder + "/sub:folder")) {
      try (ObjectStore store = Stores.open(url, new TreeMap<>(), world)) {
        assertThat(store).isInstanceOf(FileStore.class);
        assertThat(store.name()).startsWith("file:" + folder.toRealPath());
      }
    }
    assertThat(Stores.open("memory:", new TreeMap<>(), world)).isInstanceOf(MemoryStore.class);
    TreeMap<String, String> options = new TreeMap<>();
    options.put("store.s3.endpoint", "http://127.0.0.1:1");
    options.put("store.gcs.endpoint", "http://127.0.0.1:1");
    options.put("store.azure.endpoint", "http://127.0.0.1:1/account?sv=1&sig=x");
    for (String url : List.of("s3://bucket/a/b", "gs://bucket", "az://container/x")) {
      try (ObjectStore store = Stores.open(url, options, world)) {
        assertThat(store.name()).isEqualTo(url);
      }
    }
  }

  @Test
  void whatCanNotBeOpenedIsSaidInOneSentence() {
    for (String url : List.of("ftp://host/x", "s3:bucket", "s3://", "s3://bucket/a b", "file:")) {
      assertThatThrownBy(() -> Stores.open(url, new TreeMap<>(), world))
          .as(url)
          .isInstanceOf(StoreException.Denied.class)
          .hasMessageContaining("[" + url + "]");
    }
    assertThatThrownBy(() -> Stores.open("az://container", new TreeMap<>(), world))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("store.azure.connection_string");
  }

  @Test
  void aFolderLoadsNothingOfTheCloud() throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xlog:class+load",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OpensAFolder.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String loaded = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(loaded).isZero();
    assertThat(loaded)
        .contains("dev.holdfast.objectstore.file.FileStore ")
        .doesNotContain("software.amazon", "com.google.cloud", "com.azure", "S3Store");
  }

  /// A process that does no more than that.
  static final class OpensAFolder {
    private OpensAFolder() {}

    public static void main(String[] args) throws Exception {
      World world = World.real();
      try (ObjectStore store = Stores.open(args[0], new TreeMap<>(), world)) {
        StoreProbe.check(store, world);
      }
    }
  }
}
