package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Snapshots are made, shown, restored, cloned and deleted, and what they have outlives its index.
final class SnapshotsTest {
  private static final String FS = "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}";
  private static final String AWAITED = "?wait_for_completion=true";

  @TempDir Path folder;

  private static String type(JsonNode refused) {
    return refused.path("error").path("type").asText();
  }

  private static int count(NodeFixture node, String index) throws Exception {
    return node.ok("GET", "/" + index + "/_count", "").path("count").asInt();
  }

  private static void restore(NodeFixture node, String snapshot, String body) throws Exception {
    JsonNode shards =
        node.ok("POST", "/_snapshot/r/" + snapshot + "/_restore" + AWAITED, body)
            .path("snapshot")
            .path("shards");
    assertThat(shards.path("failed").asInt()).isZero();
  }

  private static long blobs(Path of) throws Exception {
    if (!Files.exists(of)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(of)) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  @Test
  void aSnapshotHasWhatWasDurableWhenItBegan() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.ok(
          "PUT",
          "/books",
          "{\"settings\":{\"number_of_shards\":3},\"aliases\":{\"shelf\":{}},"
              + "\"mappings\":{\"properties\":{\"kind\":{\"type\":\"keyword\"}}}}");
      node.fill("books", 50);
      long before = blobs(folder.resolve("store/shards"));
      JsonNode made =
          node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "{\"metadata\":{\"by\":\"me\"}}")
              .path("snapshot");
      assertThat(made.path("state").asText()).isEqualTo("SUCCESS");
      assertThat(made.path("shards").path("successful").asInt()).isEqualTo(3);
      assertThat(made.path("metadata").path("by").asText()).isEqualTo("me");
      assertThat(blobs(folder.resolve("store/shards"))).isLessThanOrEqualTo(before + 3);

      node.fill("books", 80);
      node.ok("DELETE", "/books", "");
      restore(node, "s1", "{\"indices\":\"books\"}");

      assertThat(count(node, "books")).isEqualTo(50);
      assertThat(count(node, "shelf")).isEqualTo(50);
      assertThat(node.json("/books/_mapping").toString())
          .contains("\"kind\":{\"type\":\"keyword\"}");
      JsonNode recovery = node.json("/books/_recovery").path("books").path("shards").path(0);
      assertThat(recovery.path("type").asText()).isEqualTo("SNAPSHOT");
      node.ok("DELETE", "/_snapshot/r/s1", "");
      assertThat(count(node, "books")).isEqualTo(50);
      node.fill("books", 60);
      assertThat(count(node, "books")).isEqualTo(60);
    }
  }

  @Test
  void itIsThereAfterARestartAndItsIndexRestoredUnderAnotherName() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.fill("books", 10);
      node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "");
    }
    try (NodeFixture node = new NodeFixture(folder)) {
      node.fill("books", 12);
      assertThat(type(node.refused(400, "POST", "/_snapshot/r/s1/_restore" + AWAITED, "")))
          .isEqualTo("snapshot_restore_exception");
      restore(
          node,
          "s1",
          "{\"rename_pattern\":\"(.+)\",\"rename_replacement\":\"old_$1\","
              + "\"ignore_index_settings\":[\"index.*\"],"
              + "\"index_settings\":{\"refresh_interval\":\"7s\"}}");

      assertThat(count(node, "old_books")).isEqualTo(10);
      String byName = "{\"query\":{\"prefix\":{\"_index\":\"old\"}}}";
      assertThat(node.ok("POST", "/old_books/_count", byName).path("count").asInt()).isEqualTo(10);
      assertThat(count(node, "books")).isEqualTo(12);
      assertThat(node.json("/old_books/_settings").toString())
          .contains("\"refresh_interval\":\"7s\"");
      node.ok("POST", "/books/_close", "");
      restore(node, "s1", "");
      assertThat(count(node, "books")).isEqualTo(10);
    }
  }

  @Test
  void namesAndBodiesThatMeanNothingAreRefused() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.ok("PUT", "/_snapshot/ro", FS.replace("\"place\"", "\"place\",\"readonly\":true"));
      node.fill("books", 1);
      for (String name : List.of("S1", "_s1", "s%2C1", "s%231", "s%2A")) {
        assertThat(type(node.refused(400, "PUT", "/_snapshot/r/" + name, "")))
            .isEqualTo("invalid_snapshot_name_exception");
      }
      for (String body :
          List.of(
              "{\"more\":1}",
              "{\"indices\":5}",
              "{\"partial\":\"maybe\"}",
              "{\"metadata\":5}",
              "{\"metadata\":{\"a\":\"" + "x".repeat(1100) + "\"}}")) {
        node.refused(400, "PUT", "/_snapshot/r/s1", body);
      }
      node.refused(404, "PUT", "/_snapshot/r/s1", "{\"indices\":\"missing\"}");
      node.refused(400, "PUT", "/_snapshot/ro/s1", "");
      assertThat(type(node.refused(404, "PUT", "/_snapshot/none/s1", "")))
          .isEqualTo("repository_missing_exception");
      assertThat(node.json("/_snapshot/r/_all").path("total").asInt()).isZero();

      node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "{\"include_global_state\":false}");
      assertThat(type(node.refused(400, "PUT", "/_snapshot/r/s1", "")))
          .isEqualTo("snapshot_name_already_in_use_exception");
      node.ok("DELETE", "/books", "");
      for (String body :
          List.of(
              "{\"more\":1}",
              "{\"include_global_state\":true}",
              "{\"rename_pattern\":\"(\",\"rename_replacement\":\"x\"}",
              "{\"rename_pattern\":\".+\",\"rename_replacement\":\"X\"}",
              "{\"rename_pattern\":\".+\",\"rename_replacement\":\"$7\"}",
              "{\"feature_states\":[\"x\"]}",
              "{\"index_settings\":{\"number_of_shards\":2}}",
              "{\"index_settings\":{\"no_such\":2}}",
              "{\"ignore_index_settings\":[\"index.number_of_replicas\"]}",
              "{\"ignore_index_settings\":[\"index.number_of_shards\"]}")) {
        node.refused(400, "POST", "/_snapshot/r/s1/_restore" + AWAITED, body);
      }
      node.refused(404, "POST", "/_snapshot/r/s1/_restore", "{\"indices\":\"missing\"}");
      node.refused(400, "POST", "/_snapshot/r/none/_restore", "");
      assertThat(node.json("/_cat/indices?format=json")).isEmpty();
    }
  }

  @Test
  void manyAreListedInPagesClonedAndDeleted() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.fill("books", 3);
      node.fill("films", 4);
      for (String name : List.of("c", "a", "b")) {
        node.ok("PUT", "/_snapshot/r/" + name + AWAITED, "");
      }
      node.ok("PUT", "/_snapshot/r/a/_clone/d", "{\"indices\":\"films\"}");
      JsonNode first = node.json("/_snapshot/r/_all?sort=name&size=3");
      assertThat(first.path("snapshots").findValuesAsText("snapshot"))
          .containsExactly("a", "b", "c");
      assertThat(first.path("remaining").asInt()).isEqualTo(1);
      JsonNode next =
          node.json("/_snapshot/r/*?sort=name&size=3&after=" + first.path("next").asText());
      assertThat(next.path("snapshots").findValuesAsText("snapshot")).containsExactly("d");
      assertThat(next.path("snapshots").path(0).path("indices").toString())
          .isEqualTo("[\"films\"]");
      assertThat(
              node.json("/_snapshot/r/*,-a?sort=name&order=desc&verbose=true")
                  .path("snapshots")
                  .findValuesAsText("snapshot"))
          .containsExactly("d", "c", "b");
      node.refused(400, "GET", "/_snapshot/r/*?sort=colour", "");
      node.refused(400, "GET", "/_snapshot/r/*?size=0", "");
      node.refused(400, "GET", "/_snapshot/r/*?after=x", "");
      node.refused(400, "GET", "/_snapshot/r/*?verbose=false&sort=name", "");
      assertThat(type(node.refused(404, "GET", "/_snapshot/r/none", "")))
          .isEqualTo("snapshot_missing_exception");
      JsonNode status = node.ok("GET", "/_snapshot/r/d/_status", "").path("snapshots").path(0);
      assertThat(status.path("shards_stats").path("done").asInt()).isEqualTo(1);
      assertThat(node.get("/_cat/snapshots/r?h=id,status&s=id").body())
          .isEqualTo("a SUCCESS\nb SUCCESS\nc SUCCESS\nd SUCCESS\n");

      node.refused(404, "DELETE", "/_snapshot/r/b,none", "");
      node.ok("DELETE", "/_snapshot/r/b,c*", "");
      node.ok("DELETE", "/_snapshot/r/a", "");
      assertThat(node.json("/_snapshot/r/*").path("total").asInt()).isEqualTo(1);
      node.ok("DELETE", "/films", "");
      restore(node, "d", "");
      assertThat(count(node, "films")).isEqualTo(4);
    }
  }

  @Test
  void aStreamIsRestoredAndGoesOn() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.ok(
          "PUT",
          "/_index_template/t",
          "{\"index_patterns\":[\"events*\"],\"data_stream\":{},\"priority\":500}");
      String line = "{\"create\":{}}\n{\"@timestamp\":\"2026-11-24T00:00:00Z\",\"n\":1}\n";
      node.ok("POST", "/events/_bulk?refresh=true", line + line);
      node.ok("POST", "/events/_rollover", "");
      node.ok("POST", "/events/_bulk?refresh=true", line);
      JsonNode made =
          node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "{\"indices\":\"events\"}").path("snapshot");
      assertThat(made.path("data_streams").toString()).isEqualTo("[\"events\"]");
      assertThat(made.path("indices")).hasSize(2);
      JsonNode before = node.json("/_data_stream/events").path("data_streams").path(0);

      assertThat(type(node.refused(400, "POST", "/_snapshot/r/s1/_restore" + AWAITED, "")))
          .isEqualTo("snapshot_restore_exception");
      restore(node, "s1", "{\"rename_pattern\":\"events\",\"rename_replacement\":\"events-old\"}");
      assertThat(count(node, "events-old")).isEqualTo(3);
      node.ok("POST", "/events-old/_bulk?refresh=true", line);
      assertThat(count(node, "events-old")).isEqualTo(4);
      assertThat(count(node, "events")).isEqualTo(3);

      node.ok("DELETE", "/_data_stream/events", "");
      restore(node, "s1", "{\"indices\":\"events\"}");
      JsonNode after = node.json("/_data_stream/events").path("data_streams").path(0);
      assertThat(after.path("generation")).isEqualTo(before.path("generation"));
      assertThat(after.path("indices").findValuesAsText("index_name"))
          .isEqualTo(before.path("indices").findValuesAsText("index_name"));
      assertThat(after.path("template").asText()).isEqualTo("t");
      for (JsonNode index : after.path("indices")) {
        String name = index.path("index_name").asText();
        assertThat(index.path("index_uuid").asText())
            .isEqualTo(
                node.json("/" + name + "/_settings")
                    .path(name)
                    .path("settings")
                    .path("index")
                    .path("uuid")
                    .asText());
      }
      node.ok("POST", "/events/_bulk?refresh=true", line);
      node.ok("POST", "/events/_rollover", "");
      node.ok("POST", "/events/_bulk?refresh=true", line);
      assertThat(count(node, "events")).isEqualTo(5);
      assertThat(node.json("/_data_stream/events").path("data_streams").path(0).path("indices"))
          .hasSize(3);
    }
  }

  @Test
  void aDamagedSnapshotIsToldAndCanBeDeleted() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.fill("books", 3);
      node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "");
      Path manifest = folder.resolve("store/pins/snapshots/place/s1+register");
      byte[] bytes = Files.readAllBytes(manifest);
      bytes[bytes.length / 2] ^= 1;
      Files.write(manifest, bytes);

      assertThat(node.get("/_snapshot/r/s1").statusCode()).isGreaterThanOrEqualTo(500);
      assertThat(node.call("POST", "/_snapshot/r/s1/_restore", "").statusCode())
          .isGreaterThanOrEqualTo(500);
      assertThat(node.call("PUT", "/_snapshot/r/s1", "").statusCode()).isGreaterThanOrEqualTo(400);
      assertThat(node.json("/_snapshot/r/s1?ignore_unavailable=true").path("total").asInt())
          .isZero();

      node.ok("DELETE", "/_snapshot/r/s1", "");
      node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "");
      assertThat(node.json("/_snapshot/r/s1").path("total").asInt()).isEqualTo(1);
    }
  }

  @Test
  void anotherStoreHasCopiesOfItsOwn(@TempDir Path shared) throws Exception {
    try (NodeFixture node = new NodeFixture(folder, Map.of("path.repo", shared.toString()))) {
      node.ok("PUT", "/_snapshot/r", FS);
      node.fill("books", 40);
      node.ok("PUT", "/_snapshot/r/s1" + AWAITED, "");
      long first = blobs(shared.resolve("place/blobs"));
      node.ok("PUT", "/_snapshot/r/s2" + AWAITED, "");
      assertThat(first).isPositive();
      assertThat(blobs(shared.resolve("place/blobs"))).isEqualTo(first);
      assertThat(blobs(folder.resolve("store/pins"))).isZero();
      node.ok("DELETE", "/_snapshot/r/s1", "");
      assertThat(blobs(shared.resolve("place/blobs"))).isEqualTo(first);
    }
    // Another cluster reads them.
    try (NodeFixture other =
        new NodeFixture(folder.resolve("other"), Map.of("path.repo", shared.toString()))) {
      other.ok("PUT", "/_snapshot/r", FS);
      restore(other, "s2", "");
      assertThat(count(other, "books")).isEqualTo(40);
      other.ok("DELETE", "/_snapshot/r/s2", "");
      assertThat(blobs(shared.resolve("place/blobs"))).isZero();
      assertThat(
              other
                  .ok("POST", "/_snapshot/r/_cleanup", "")
                  .path("results")
                  .path("deleted_blobs")
                  .asInt())
          .isZero();
      assertThat(count(other, "books")).isEqualTo(40);
    }
  }
}
