package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How far snapshots are: of those that are named, as Elasticsearch 9.5.3 answers.
final class SnapshotStatusTest {
  @TempDir Path folder;

  private static List<String> names(NodeFixture node, String path) throws Exception {
    return node.ok("GET", "/_snapshot/" + path, "").path("snapshots").findValuesAsText("snapshot");
  }

  @Test
  void aNameThatNoSnapshotHasIsMissing() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
      node.fill("books", 3);
      node.ok("PUT", "/_snapshot/r/s1?wait_for_completion=true", "");
      node.ok("PUT", "/_snapshot/r/s2?wait_for_completion=true", "");

      Map.ofEntries(
              Map.entry("miss", "miss"),
              Map.entry("miss*", "miss*"),
              Map.entry("s1,miss", "miss"),
              Map.entry("miss*,nix", "miss*"),
              Map.entry("s*", "s*"),
              Map.entry("*", "*"),
              Map.entry("s1,-s1", "-s1"),
              Map.entry("_current", "_current"),
              Map.entry("_all,s1", "_all"))
          .forEach((asked, missing) -> requireMissing(node, "r/" + asked, "[r:" + missing + "]"));
      assertThat(names(node, "r/s1/_status")).containsExactly("s1");
      assertThat(names(node, "r/s2,s1,s1/_status")).containsExactlyInAnyOrder("s1", "s2");
      assertThat(names(node, "r/s1,miss/_status?ignore_unavailable=true")).containsExactly("s1");
      assertThat(names(node, "r/miss*/_status?ignore_unavailable=true")).isEmpty();

      // those that are being made: none
      for (String path : List.of("_status", "r/_status", "r/_all/_status", "nix/_status")) {
        assertThat(names(node, path)).as(path).isEmpty();
      }
      for (String repository : List.of("nix", "r*", "r,nix")) {
        requireMissing(node, repository + "/s1", "[" + repository + "] missing");
      }
    }
  }

  private static void requireMissing(NodeFixture node, String path, String reason) {
    try {
      JsonNode error =
          node.refused(404, "GET", "/_snapshot/" + path + "/_status", "").path("error");
      assertThat(error.path("type").asText())
          .isEqualTo(
              reason.contains(":") ? "snapshot_missing_exception" : "repository_missing_exception");
      assertThat(error.path("reason").asText()).startsWith(reason);
    } catch (Exception e) {
      throw new AssertionError(path, e);
    }
  }
}
