package dev.holdfast.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a node's disk has kept of a store that was set back to what it was before: blobs that are
/// written from then on have the names of others that it has seen.
final class SetBackStoreTest {
  @TempDir Path folder;

  private void startAndStop() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(node.call("PUT", "/a/_doc/1", "{\"a\":1}").statusCode()).isLessThan(300);
    }
  }

  @Test
  void theCacheBeginsEmptyWhenTheStoreIsOlderThanWhatTheNodeHasKnown() throws Exception {
    // given: a node that was started again
    startAndStop();
    Path cached = Files.writeString(folder.resolve("cache").resolve("kept"), "");
    startAndStop();
    assertThat(cached).exists();
    // when: it has known a newer state than its store has
    Path known = folder.resolve("node.cluster");
    List<String> lines = new ArrayList<>(Files.readAllLines(known));
    lines.set(2, "1000000");
    Files.write(known, lines);
    startAndStop();
    // then
    assertThat(cached).doesNotExist();
    assertThat(Files.readAllLines(known)).element(2).isNotEqualTo("1000000");
  }
}
