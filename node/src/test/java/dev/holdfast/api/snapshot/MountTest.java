package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
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

  private static final String NONE = "No searchable snapshots indices found";

  @Test
  void whatIsMountedIsToldAndItsCacheIsCleared(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder, Map.of("store", "memory:mounts"))) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"r\"}}");
      node.fill("a", 20);
      node.ok("PUT", "/_snapshot/r/s?wait_for_completion=true", "");
      for (String path :
          new String[] {"/_searchable_snapshots/stats", "/a/_searchable_snapshots/stats"}) {
        assertThat(node.refused(404, "GET", path, "").at("/error/reason").asText()).isEqualTo(NONE);
      }
      refused(node, "/_searchable_snapshots/cache/clear", "", 404, NONE);
      node.ok(
          "POST",
          MOUNT + "?wait_for_completion=true&storage=shared_cache",
          "{\"index\":\"a\",\"renamed_index\":\"m\"}");
      // when
      JsonNode settings = node.ok("GET", "/m/_settings?flat_settings", "").at("/m/settings");
      JsonNode stats = node.ok("GET", "/_searchable_snapshots/stats?level=shards", "");
      // then
      assertThat(settings.path("index.store.type").asText()).isEqualTo("snapshot");
      assertThat(settings.path("index.store.snapshot.snapshot_name").asText()).isEqualTo("s");
      assertThat(settings.path("index.store.snapshot.repository_name").asText()).isEqualTo("r");
      assertThat(settings.path("index.store.snapshot.index_name").asText()).isEqualTo("a");
      assertThat(settings.path("index.store.snapshot.partial").asText()).isEqualTo("true");
      assertThat(stats.at("/total/0/total_size").asLong()).isPositive();
      assertThat(stats.path("indices").size()).isEqualTo(1);
      assertThat(stats.at("/indices/m/shards/0/0/snapshot_uuid"))
          .isEqualTo(settings.path("index.store.snapshot.snapshot_uuid"));
      assertThat(node.ok("GET", "/_searchable_snapshots/stats?level=cluster", "").has("indices"))
          .isFalse();
      JsonNode caches = node.ok("GET", "/_searchable_snapshots/cache/stats", "");
      assertThat(caches.path("nodes").size()).isEqualTo(1);
      assertThat(
              caches
                  .at("/nodes")
                  .elements()
                  .next()
                  .at("/shared_cache/region_size_in_bytes")
                  .asLong())
          .isEqualTo(16 << 20);
      assertThat(
              node.ok("GET", "/_searchable_snapshots/nobody/cache/stats", "").path("nodes").size())
          .isZero();
      assertThat(
              node.ok("POST", "/m/_searchable_snapshots/cache/clear", "")
                  .at("/_shards/failed")
                  .asInt())
          .isZero();
      assertThat(count(node, "m")).isEqualTo(20);
      // and: a clone is an index like others, and nobody says of one that it is mounted
      node.ok("POST", "/m/_clone/c", "");
      assertThat(node.ok("GET", "/c/_settings?flat_settings", "").toString())
          .doesNotContain("index.store");
      String said = "{\"settings\":{\"index.store.snapshot.snapshot_name\":\"s\"}}";
      assertThat(node.refused(400, "PUT", "/x", said).toString()).contains("private index setting");
      refused(
          node,
          MOUNT,
          "{\"index\":\"a\",\"renamed_index\":\"x\",\"index_settings\":{\"index.store.snapshot.partial\":true}}",
          400,
          "private index setting");
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
