package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.world.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Every call that a node answers, and every kind of object that it stores, has golden bytes: who
/// adds one adds those.
@Timeout(60)
final class GoldenTest {
  private static final List<String> MODULES =
      List.of("cluster-state", "compound-commit", "indexing-tier", "search-tier", "node");

  /// The test that holds the golden bytes, by where such objects lie.
  private static final Map<String, String> STORED =
      new TreeMap<>(
          Map.of(
              "cluster/lease",
              "cluster-state/src/test/java/dev/holdfast/clusterstate/membership/GoldenMessagesTest.java",
              "cluster/secret",
              "cluster-state/src/test/java/dev/holdfast/clusterstate/membership/GoldenMessagesTest.java",
              "cluster/state/",
              "cluster-state/src/test/java/dev/holdfast/clusterstate/membership/GoldenMessagesTest.java",
              "log/",
              "translog/src/test/java/dev/holdfast/translog/LogFileTest.java",
              "shards/",
              "compound-commit/src/test/java/dev/holdfast/compoundcommit/blob/BlobFormatTest.java",
              "pins/snapshots/",
              "indexing-tier/src/test/java/dev/holdfast/indexing/snapshot/ManifestBytesTest.java",
              "pins/points-in-time/",
              "compound-commit/src/test/java/dev/holdfast/compoundcommit/PointInTimePinTest.java"));

  @TempDir Path folder;

  @Test
  void everyCallHasGoldenBytes() throws Exception {
    SortedSet<String> without = new TreeSet<>();
    try (NodeFixture node = new NodeFixture(folder)) {
      for (String call : node.calls()) {
        if (call.startsWith("eyes/")) {
          checkBroadcast(call);
        } else if (call.equals("cluster/reach")) {
          List<byte[]> _ = Golden.of("calls/" + call + "/v1/question", new byte[0]);
        } else if (MODULES.stream()
            .noneMatch(module -> Golden.isThere(Path.of("..", module), "calls/" + call))) {
          without.add(call);
        }
      }
    }
    assertThat(without).as("calls without golden bytes: see docs/upgrading.md").isEmpty();
  }

  /// What operators ask travels as JSON.
  private static void checkBroadcast(String call) throws IOException {
    for (String part : List.of("question", "answer")) {
      String name = "calls/" + call + "/v1/" + part;
      for (byte[] bytes : Golden.of(name, WireValues.bytes(WireValues.STRING, "{\"a\":1}"))) {
        assertThat(WireValues.value(WireValues.STRING, bytes)).isEqualTo("{\"a\":1}");
      }
    }
  }

  @Test
  void everyKindOfObjectHasGoldenBytes() throws Exception {
    // given: a store in which everything has been done that stores something
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books/_doc/1?refresh=true", "{\"pages\":1}");
      node.ok("POST", "/books/_flush", "");
      node.ok("POST", "/books/_pit?keep_alive=1m", "");
      node.ok("PUT", "/books/_doc/2", "{\"pages\":2}");
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"x\"}}");
      node.ok("PUT", "/_snapshot/r/s?wait_for_completion=true", "");
      SortedSet<String> unknown = new TreeSet<>();
      Path store = folder.resolve("store");
      try (Stream<Path> files = Files.walk(store)) {
        files
            .filter(Files::isRegularFile)
            .map(file -> store.relativize(file).toString())
            .filter(key -> STORED.keySet().stream().noneMatch(key::startsWith))
            .filter(key -> !key.startsWith("+")) // what a folder store needs itself
            .forEach(unknown::add);
      }
      assertThat(unknown).as("objects without golden bytes: see docs/upgrading.md").isEmpty();
    }
    for (String test : STORED.values()) {
      assertThat(Files.readString(Path.of("..", test))).containsPattern("(?i)golden|HexFormat");
    }
  }
}
