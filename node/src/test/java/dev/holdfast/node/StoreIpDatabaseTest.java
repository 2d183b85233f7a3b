package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `holdfast store add-ip-database`.
final class StoreIpDatabaseTest {
  @TempDir Path folder;

  private String add(Path file) {
    StringWriter said = new StringWriter();
    String store = "file:" + folder.resolve("store");
    int status =
        Main.run(
            new PrintWriter(said), "store", "add-ip-database", file.toString(), "--store", store);
    return status + " " + said;
  }

  @Test
  void whatIsNoDatabaseIsNotPut() throws Exception {
    Path file = Files.write(folder.resolve("a.mmdb"), new byte[100]);
    assertThat(add(file)).startsWith("2 holdfast: no database of the format MMDB");
    assertThat(add(folder.resolve("gone.mmdb"))).startsWith("2 holdfast: no database");
    Path odd = Files.write(folder.resolve("a b.mmdb"), new byte[100]);
    assertThat(add(odd)).startsWith("2 holdfast: a database is called like");
    assertThat(folder.resolve("store").resolve("ip-databases")).doesNotExist();
  }

  @Test
  void aDatabaseIsPutUnderItsName() throws Exception {
    Path file = folder.resolve("Tiny-Domain.mmdb");
    try (var bytes = StoreIpDatabaseTest.class.getResourceAsStream("Tiny-Domain.mmdb")) {
      Files.write(file, java.util.Objects.requireNonNull(bytes).readAllBytes());
    }
    assertThat(add(file)).startsWith("0 added Tiny-Domain.mmdb (Tiny-Domain) to ");
    Path put = folder.resolve("store").resolve("ip-databases").resolve("Tiny-Domain.mmdb");
    assertThat(put).hasSameBinaryContentAs(file);
  }
}
