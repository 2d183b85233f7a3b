package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A name may be as long as an address, and longer than those in a body.
final class LongNamesTest {
  private static final String NAME = "p".repeat(60_000);

  @Test
  void aClusterWhoseStateHasOneStartsAgain(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_ingest/pipeline/" + NAME, "{\"processors\":[]}");
      node.ok("PUT", "/after", "");
    }
    try (NodeFixture again = new NodeFixture(folder)) {
      assertThat(again.ok("GET", "/_ingest/pipeline", "").has(NAME)).isTrue();
      assertThat(again.ok("GET", "/after", "").has("after")).isTrue();
    }
  }
}
