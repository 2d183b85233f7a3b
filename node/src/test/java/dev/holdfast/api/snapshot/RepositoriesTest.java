package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshotState;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Repositories: what is taken, what is refused, and what is shown.
final class RepositoriesTest {
  @TempDir Path folder;

  private static String fs(String location) {
    return "{\"type\":\"fs\",\"settings\":{\"location\":\"" + location + "\"}}";
  }

  private static String type(JsonNode refused) {
    return refused.path("error").path("type").asText();
  }

  @Test
  void aRepositoryIsKeptShownVerifiedAndForgotten() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/mine", fs("here"));
      node.ok("PUT", "/_snapshot/yours", fs("there"));

      assertThat(node.json("/_snapshot"))
          .hasToString("{\"mine\":" + fs("here") + ",\"yours\":" + fs("there") + "}");
      assertThat(node.json("/_snapshot/m*")).hasToString("{\"mine\":" + fs("here") + "}");
      assertThat(node.ok("POST", "/_snapshot/mine/_verify", "").path("nodes")).hasSize(1);
      assertThat(node.ok("POST", "/_snapshot/mine/_analyze", "").path("repository").asText())
          .isEqualTo("mine");
      assertThat(node.get("/_cat/repositories").body()).isEqualTo("mine  fs\nyours fs\n");

      node.ok("DELETE", "/_snapshot/mine", "");
      assertThat(type(node.refused(404, "GET", "/_snapshot/mine", "")))
          .isEqualTo("repository_missing_exception");
      assertThat(type(node.refused(404, "DELETE", "/_snapshot/mine", "")))
          .isEqualTo("repository_missing_exception");
      assertThat(type(node.refused(404, "POST", "/_snapshot/mine/_verify", "")))
          .isEqualTo("repository_missing_exception");
    }
    try (NodeFixture again = new NodeFixture(folder)) {
      assertThat(again.json("/_snapshot").has("yours")).isTrue();
    }
  }

  @Test
  void whatCannotBeUsedIsRefusedAndNotKept() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      for (String body :
          new String[] {
            "{\"type\":\"fz\",\"settings\":{\"location\":\"x\"}}",
            "{\"type\":\"fs\",\"settings\":{}}",
            "{\"type\":\"fs\",\"settings\":{\"location\":\"x\",\"locatoin\":\"y\"}}",
            "{\"type\":\"fs\",\"settings\":{\"location\":\"x\",\"readonly\":\"maybe\"}}",
            "{\"type\":\"fs\",\"settings\":{\"location\":\"x\",\"chunk_size\":\"much\"}}",
            "{\"type\":\"fs\",\"settings\":{\"location\":\"x\",\"max_number_of_snapshots\":0}}",
            fs("/somewhere/else"),
            fs("../x"),
            fs("x".repeat(300)),
            "{\"type\":\"s3\",\"settings\":{}}",
            "{\"type\":\"s3\",\"settings\":{\"bucket\":\"b\",\"client\":\"other\"}}",
            "{\"type\":\"azure\",\"settings\":{\"bucket\":\"b\"}}",
            "{\"type\":\"url\",\"settings\":{\"url\":\"http://127.0.0.1/x\"}}",
            "{\"type\":\"url\",\"settings\":{\"url\":\"file:///etc\"}}",
            "{\"type\":\"url\",\"settings\":{\"url\":\"file:etc\"}}",
            "{\"type\":\"url\",\"settings\":{\"url\":\"file:///a%00b\"}}"
          }) {
        assertThat(type(node.refused(400, "PUT", "/_snapshot/r", body)))
            .as(body)
            .isEqualTo("repository_exception");
      }
      assertThat(type(node.refused(400, "PUT", "/_snapshot/r", "{\"settings\":{}}")))
          .isEqualTo("action_request_validation_exception");
      node.refused(400, "PUT", "/_snapshot/r", "{\"type\":\"fs\",\"more\":1}");
      node.refused(400, "PUT", "/_snapshot/r", "{\"type\":5}");
      node.refused(400, "PUT", "/_snapshot/a%2Ab", fs("x"));
      assertThat(node.json("/_snapshot")).isEmpty();
    }
  }

  @Test
  void whatHasNoEffectIsWarnedOf() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      HttpResponse<String> answer =
          node.call(
              "PUT",
              "/_snapshot/r",
              "{\"type\":\"fs\",\"settings\":{\"location\":\"x\",\"compress\":true}}");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Warning").orElse(""))
          .contains("setting [compress] has no effect");
    }
  }

  @Test
  void aLocationLiesUnderThePathsOfTheNode(@TempDir Path shared) throws Exception {
    try (NodeFixture node = new NodeFixture(folder, Map.of("path.repo", shared.toString()))) {
      node.ok("PUT", "/_snapshot/relative", fs("a/b"));
      node.ok("PUT", "/_snapshot/absolute", fs(shared.resolve("c").toString()));
      node.refused(400, "PUT", "/_snapshot/outside", fs(shared.resolve("../c").toString()));
      node.refused(400, "PUT", "/_snapshot/outside", fs("../c"));
      node.ok(
          "PUT",
          "/_snapshot/read",
          "{\"type\":\"url\",\"settings\":{\"url\":\"file:" + shared.resolve("a/b") + "\"}}");

      assertThat(node.ok("POST", "/_snapshot/relative/_verify", "").path("nodes")).hasSize(1);
      assertThat(node.ok("POST", "/_snapshot/read/_verify", "").path("nodes")).hasSize(1);
      assertThat(Files.isDirectory(shared.resolve("a/b"))).isTrue();
      node.refused(400, "POST", "/_snapshot/read/_analyze", "");
      node.ok("POST", "/_snapshot/absolute/_analyze", "");
    }
  }

  @Test
  void aRepositoryIsNotForgottenWhileSomebodyMakesASnapshot() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/mine", fs("here"));
      String self =
          node.ok("POST", "/_snapshot/mine/_verify", "").path("nodes").fieldNames().next();
      World world = RealWorld.create();
      SnapshotManifest begun =
          new SnapshotManifest(
              "s1", "u", SnapshotState.STARTED, self, 1, 0, false, Json.object(), new TreeMap<>());
      try (ObjectStore store =
          Stores.open("file:" + folder.resolve("store"), new TreeMap<>(), world)) {
        new SnapshotRepository(
                world,
                new Repository("mine", "fs", new TreeMap<>()),
                store,
                true,
                SnapshotRepository.OWN_FOLDER + "here/")
            .write(begun, null);
      }

      assertThat(type(node.refused(409, "DELETE", "/_snapshot/m*", "")))
          .isEqualTo("repository_conflict_exception");
      assertThat(type(node.refused(409, "PUT", "/_snapshot/mine", fs("there"))))
          .isEqualTo("repository_conflict_exception");
      node.ok("PUT", "/_snapshot/mine", fs("here"));
      node.ok("DELETE", "/_snapshot/mine/s1", "");
      node.ok("DELETE", "/_snapshot/mine", "");
    }
  }

  @Test
  void aRepositoryWhoseStoreHasGoneIsNamed(@TempDir Path shared) throws Exception {
    try (NodeFixture node = new NodeFixture(folder, Map.of("path.repo", shared.toString()))) {
      node.ok("PUT", "/_snapshot/mine", fs("place"));
      IOUtils.rm(shared.resolve("place"));

      for (String[] request :
          new String[][] {
            {"GET", "/_snapshot/mine/_all"},
            {"GET", "/_snapshot/*/s"},
            {"PUT", "/_snapshot/mine/s?wait_for_completion=true"},
            {"POST", "/_snapshot/mine/s/_restore"},
            {"DELETE", "/_snapshot/mine/s"},
            {"POST", "/_snapshot/mine/_cleanup"}
          }) {
        JsonNode refused = node.refused(500, request[0], request[1], "");
        assertThat(type(refused)).as(request[1]).isEqualTo("repository_exception");
        assertThat(refused.path("error").path("reason").asText())
            .startsWith("[mine] its store refuses: the store's folder ")
            .contains("has gone");
      }
      assertThat(type(node.refused(500, "POST", "/_snapshot/mine/_verify", "")))
          .isEqualTo("repository_verification_exception");
      node.ok("DELETE", "/_snapshot/mine", "");
    }
  }

  @Test
  void aPlaceThatCannotBeWrittenIsRefused(@TempDir Path shared) throws Exception {
    Files.writeString(shared.resolve("file"), "not a folder");
    try (NodeFixture node = new NodeFixture(folder, Map.of("path.repo", shared.toString()))) {
      JsonNode error = node.json("PUT", "/_snapshot/r", fs("file/inside"));

      assertThat(type(error)).startsWith("repository_");
      assertThat(node.json("/_snapshot")).isEmpty();
    }
  }
}
