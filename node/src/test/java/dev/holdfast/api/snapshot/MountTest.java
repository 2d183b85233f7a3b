package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Indices of snapshots that are searched where they lie.
final class MountTest {
  private static final String MOUNT = "/_snapshot/r/s/_mount";

  private static int count(NodeFixture node, String index) throws Exception {
    return node.ok("GET", "/" + index + "/_count", "").path("count").asInt();
  }

  private static void refused(NodeFixture node, String path, String body, int status, String why)
      throws Exception {
    HttpResponse<String> answer = node.call("POST", path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.body()).contains(why);
  }

  @Test
  void anIndexOfASnapshotIsSearchedAndNotWrittenTo(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"r\"}}");
      node.ok(
          "PUT", "/a.b", "{\"aliases\":{\"shelf\":{}},\"settings\":{\"refresh_interval\":\"5s\"}}");
      node.fill("a.b", 20);
      node.fill("axb", 3);
      node.ok("PUT", "/_snapshot/r/s?wait_for_completion=true", "");
      node.ok("POST", "/a.b/_doc?refresh", "{\"n\":21}");
      // when
      JsonNode mounted =
          node.ok(
              "POST",
              MOUNT + "?wait_for_completion=true&storage=shared_cache",
              "{\"index\":\"a.b\",\"renamed_index\":\"m$1\",\"index_settings\":{\"index.priority\":7},\"ignore_index_settings\":[\"index.refresh_interval\"]}");
      // then
      assertThat(mounted.at("/snapshot/indices").toString()).isEqualTo("[\"m$1\"]");
      assertThat(mounted.at("/snapshot/shards/failed").asInt()).isZero();
      assertThat(count(node, "m$1")).isEqualTo(20);
      JsonNode settings = node.ok("GET", "/m$1/_settings?flat_settings", "").at("/m$1/settings");
      assertThat(settings.path("index.blocks.write").asText()).isEqualTo("true");
      assertThat(settings.path("index.number_of_replicas").asText()).isEqualTo("0");
      assertThat(settings.path("index.priority").asText()).isEqualTo("7");
      assertThat(settings.has("index.refresh_interval")).isFalse();
      refused(node, "/m$1/_doc", "{\"n\":1}", 403, "index write (api)");
      assertThat(node.ok("GET", "/shelf/_count", "").path("count").asInt()).isEqualTo(21);
      // and: it needs neither the index nor the snapshot
      node.ok("DELETE", "/a.b", "");
      assertThat(node.ok("POST", MOUNT, "{\"index\":\"a.b\"}").path("accepted").asBoolean())
          .isTrue();
      assertThat(count(node, "a.b")).isEqualTo(20);
      assertThat(node.call("GET", "/m$1x", "").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void whatCannotBeMountedIsRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"r\"}}");
      node.fill("a", 2);
      node.ok("PUT", "/_snapshot/r/s?wait_for_completion=true", "");
      refused(node, MOUNT, "{}", 400, "Required [index]");
      refused(node, MOUNT, "{\"index\":5}", 400, "malformed index");
      refused(node, MOUNT, "{\"index\":\"a\",\"x\":1}", 400, "unknown field [x]");
      refused(
          node, MOUNT, "{\"index\":\"a\",\"index_settings\":5}", 400, "malformed index_settings");
      refused(
          node, MOUNT, "{\"index\":\"a\",\"index_settings\":{\"x.y\":1}}", 400, "unknown setting");
      refused(node, MOUNT, "{\"index\":\"b\"}", 404, "no such index [b]");
      refused(node, MOUNT, "{\"index\":\"*\"}", 404, "no such index [*]");
      refused(node, MOUNT, "{\"index\":\"a\"}", 400, "open index with same name");
      refused(node, MOUNT, "{\"index\":\"a\",\"renamed_index\":\"A\"}", 400, "must be lowercase");
      refused(
          node, MOUNT + "?storage=tape", "{\"index\":\"a\"}", 400, "unknown storage type [tape]");
      refused(node, "/_snapshot/none/s/_mount", "{\"index\":\"a\"}", 404, "none");
      refused(
          node, "/_snapshot/r/none/_mount", "{\"index\":\"a\"}", 400, "snapshot does not exist");
      assertThat(count(node, "_all")).isEqualTo(2);
    }
  }
}
