package dev.holdfast.api.snapshot;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A snapshot that cannot be read may hold everything that is as old as it is: that is kept, and
/// said; what is younger goes as ever.
final class DamagedSnapshotTest {
  private static final Map<String, String> AT_ONCE =
      Map.of("gc.grace", "100ms", "gc.sweep_every", "200ms", "gc.sweep_delay", "10ms");

  @TempDir Path folder;

  /// Of the index `books`.
  private Set<String> blobs(NodeFixture node) throws Exception {
    String uuid =
        node.json("/books/_settings/index.uuid")
            .path("books")
            .path("settings")
            .path("index")
            .path("uuid")
            .asText();
    Set<String> blobs = StoredFiles.below(folder.resolve("store/shards"));
    blobs.removeIf(blob -> !blob.contains(uuid));
    return blobs;
  }

  private static JsonNode integrity(NodeFixture node) throws Exception {
    return node.json("/_health_report").path("indicators").path("repository_integrity");
  }

  /// Blobs that the newest commit does not need: every document is in a newer one.
  private Set<String> madeLoose(NodeFixture node) throws Exception {
    node.fill("books", 5);
    node.ok("POST", "/books/_flush", "");
    Set<String> before = blobs(node);
    node.fill("books", 5);
    node.ok("POST", "/books/_forcemerge?max_num_segments=1", "");
    node.ok("POST", "/books/_flush", "");
    return before;
  }

  @Test
  void whatItMayHoldIsKeptAndThatIsSaid() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, AT_ONCE)) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
      node.fill("films", 3);
      node.ok("PUT", "/_snapshot/r/s1?wait_for_completion=true", "");
      assertThat(integrity(node).path("status").asText()).isEqualTo("green");
      Path manifest = folder.resolve("store/pins/snapshots/place/s1+register");
      byte[] bytes = Files.readAllBytes(manifest);
      bytes[bytes.length / 2] ^= 1;
      Files.write(manifest, bytes);
      FileTime written = Files.getLastModifiedTime(manifest);

      Set<String> before = madeLoose(node);
      Eventually.holds(() -> integrity(node).path("status").asText().equals("yellow"));
      assertThat(blobs(node)).containsAll(before);
      assertThat(
              integrity(node)
                  .path("details")
                  .path("damaged_objects")
                  .has("pins/snapshots/place/s1"))
          .isTrue();
      assertThat(node.json("/_health_report").path("status").asText()).isEqualTo("yellow");

      // As if the index had been made long after the snapshot.
      Files.setLastModifiedTime(
          manifest, FileTime.from(written.toInstant().minusSeconds(2 * 3600)));
      Eventually.holds(() -> blobs(node).stream().noneMatch(before::contains));

      Files.setLastModifiedTime(manifest, FileTime.from(Instant.now()));
      node.ok("DELETE", "/_snapshot/r/s1", "");
      Set<String> again = madeLoose(node);
      Eventually.holds(() -> blobs(node).stream().noneMatch(again::contains));
      Eventually.holds(() -> integrity(node).path("status").asText().equals("green"));
    }
  }

  /// It is whole, and says nothing of what the one pins that lay there.
  @Test
  void aCopyOfAnotherSnapshotInItsPlaceIsNoneThatCanBeRead() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, AT_ONCE)) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
      node.fill("films", 3);
      node.ok("PUT", "/_snapshot/r/s2?wait_for_completion=true", "{\"indices\":\"films\"}");
      node.fill("books", 5);
      node.ok("PUT", "/_snapshot/r/s1?wait_for_completion=true", "{\"indices\":\"books\"}");
      // Those that neither the snapshot nor the shard needs go first: that they go later, when
      // everything is kept that is left, would be no fault.
      Eventually.holds(() -> blobs(node).size() == 1);
      Set<String> pinned = blobs(node);

      Path place = folder.resolve("store/pins/snapshots/place");
      Files.copy(place.resolve("s2+register"), place.resolve("s1+register"), REPLACE_EXISTING);
      Set<String> loose = madeLoose(node);

      Eventually.holds(() -> integrity(node).path("status").asText().equals("yellow"));
      assertThat(blobs(node)).containsAll(pinned).containsAll(loose);
    }
  }

  @Test
  void itStopsNoOtherSnapshotOfItsRepository() throws Exception {
    Path place = folder.resolve("repositories/place");
    Map<String, String> settings = Map.of("path.repo", folder.resolve("repositories").toString());
    try (NodeFixture node = new NodeFixture(folder, settings)) {
      node.ok(
          "PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"" + place + "\"}}");
      node.fill("films", 3);
      for (String name : List.of("damaged", "kept", "deleted")) {
        node.ok("PUT", "/_snapshot/r/" + name + "?wait_for_completion=true", "");
      }
      Files.write(place.resolve("snapshots/damaged+register"), new byte[] {1, 2, 3});

      node.ok("DELETE", "/_snapshot/r/deleted", "");
      JsonNode made = node.ok("PUT", "/_snapshot/r/after?wait_for_completion=true", "");

      assertThat(made.path("snapshot").path("state").asText()).isEqualTo("SUCCESS");
      assertThat(node.json("/_snapshot/_status").path("snapshots")).isEmpty();
      assertThat(node.json("/_snapshot/r/kept,after").path("snapshots")).hasSize(2);
      for (String path : List.of("/_snapshot/_all/_all", "/_snapshot/r/*", "/_cat/snapshots/r")) {
        var listed = node.call("GET", path, "");
        assertThat(listed.statusCode()).as(listed.body()).isEqualTo(200);
        assertThat(listed.body()).contains("kept", "after").doesNotContain("damaged");
        assertThat(listed.headers().firstValue("Warning").orElse("")).contains("[r:damaged]");
      }
      assertThat(node.call("GET", "/_snapshot/r/damaged,kept", "").statusCode()).isEqualTo(500);
      assertThat(node.json("/_snapshot/r/damaged,kept?ignore_unavailable").path("snapshots"))
          .hasSize(1);
      assertThat(node.call("PUT", "/_snapshot/r/damaged", "").statusCode()).isEqualTo(400);
      assertThat(node.call("GET", "/_snapshot/r/damaged", "").statusCode()).isEqualTo(500);
      node.ok("DELETE", "/_snapshot/r/damaged", "");
      node.ok("DELETE", "/_snapshot/r/kept", "");
      node.ok("DELETE", "/films", "");
      node.ok("POST", "/_snapshot/r/after/_restore?wait_for_completion=true", "");
      assertThat(node.json("/films/_count").path("count").asInt()).isEqualTo(3);
    }
  }

  @Test
  void anIndexThatBeginsWithBlobsThatAreGoneSaysSoAndNobodyWaitsForIt() throws Exception {
    Path place = folder.resolve("repositories/place");
    Map<String, String> settings = Map.of("path.repo", folder.resolve("repositories").toString());
    try (NodeFixture node = new NodeFixture(folder, settings)) {
      node.ok(
          "PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"" + place + "\"}}");
      node.fill("films", 3);
      node.ok("PUT", "/_snapshot/r/s?wait_for_completion=true", "");
      node.ok("DELETE", "/films", "");
      Path blob;
      try (Stream<Path> files = Files.walk(place.resolve("blobs"))) {
        blob = files.filter(Files::isRegularFile).findFirst().orElseThrow();
      }
      Path away = Files.move(blob, folder.resolve("away"));
      String key = place.relativize(blob).toString();

      JsonNode restored = node.ok("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", "");

      assertThat(restored.path("snapshot").path("shards").path("failed").asInt()).isEqualTo(1);
      JsonNode explained = node.json("/_cluster/allocation/explain");
      assertThat(explained.path("index").asText()).isEqualTo("films");
      assertThat(explained.path("allocate_explanation").asText())
          .contains(key)
          .contains("delete the index")
          .doesNotContain("_accept_loss");
      assertThat(node.call("GET", "/films/_search", "").statusCode()).isEqualTo(503);
      assertThat(node.call("GET", "/films/_doc/1", "").statusCode()).isEqualTo(503);
      assertThat(node.call("POST", "/_holdfast/shards/films/0/_accept_loss", "").statusCode())
          .isEqualTo(400);

      Files.move(away, blob);
      Eventually.holds(() -> node.call("GET", "/films/_count", "").body().contains("\"count\":3"));
    }
  }
}
