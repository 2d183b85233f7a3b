package dev.holdfast.api.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests about the cluster: what is refused, and what is granted because it means nothing here.
final class StrictClusterTest {
  @Test
  void refusesWhatIsNone(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", "{}");

      refused(node, "GET", "/_cat/indices?s=nothing", "", "unknown sort key");
      refused(node, "GET", "/_cluster/health?wait_for_nodes=many", "", "many");
      refused(node, "GET", "/_cluster/health?wait_for_events=soon", "", "soon");
      refused(node, "GET", "/_cluster/health?wait_for_active_shards=x", "", "ActiveShardCount[x]");
      refused(node, "GET", "/_stats?level=all", "", "level parameter must be one of");
      refused(node, "GET", "/_nodes/stats?level=all", "", "level parameter must be one of");
      refused(node, "GET", "/_nodes/stats/indices/x", "", "unrecognized index metric: [x]");
      refused(node, "GET", "/_nodes/stats/jvm/docs", "", "but indices stats not requested");
      refused(node, "GET", "/_nodes/hot_threads?type=x", "", "type not supported [x]");
      refused(node, "POST", "/_dangling/abc", "", "No dangling index found for UUID [abc]");
      refused(node, "POST", "/_cluster/voting_config_exclusions", "", "but not both");
      refused(
          node,
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"search.max_buckets\":-5}}",
          "must be >= 0");
      refused(
          node,
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"cluster.routing.allocation.enable\":\"some\"}}",
          "some");
      refusedInterval(node, "data_streams.lifecycle", "1ms", ">= [1s]");
      refusedInterval(node, "data_streams.lifecycle", "-1", ">= [1s]");
      refusedInterval(node, "indices.lifecycle", "0", ">= [1s]");
      refusedInterval(node, "time_series", "59s", ">= [1m]");
      refusedInterval(node, "time_series", "1d", "<= [10m]");
    }
  }

  @Test
  void grantsWhatMeansNothing(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String exclusions = "/_cluster/voting_config_exclusions";

      for (HttpResponse<String> granted :
          List.of(
              node.call("POST", exclusions + "?node_names=a", ""),
              node.call("DELETE", exclusions, ""))) {
        assertThat(granted.statusCode()).isEqualTo(200);
        assertThat(granted.headers().allValues("Warning").toString())
            .contains("voting configuration exclusions have no effect");
      }
      assertThat(node.ok("POST", "/_cluster/reroute?metric=none", "").has("state")).isFalse();
      JsonNode rerouted =
          node.ok("POST", "/_cluster/reroute?metric=metadata,version&explain=true", "");
      assertThat(rerouted.path("acknowledged").asBoolean()).isTrue();
      assertThat(rerouted.path("state").has("metadata")).isTrue();
      assertThat(rerouted.path("state").has("routing_table")).isFalse();
      assertThat(rerouted.path("explanations").isArray()).isTrue();
      String cancel = "{\"commands\":[{\"cancel\":{\"index\":\"x\",\"shard\":0,\"node\":\"n\"}}]}";
      node.refused(400, "POST", "/_cluster/reroute?dry_run=true", cancel);
      assertThat(
              node.ok("POST", "/_cluster/reroute?dry_run&explain&metric=none", cancel)
                  .at("/explanations/0/decisions/0/decision")
                  .asText())
          .isEqualTo("NO");
      assertThat(
              node.ok("GET", "/_cluster/health?human", "").path("active_shards_percent").asText())
          .endsWith("%");
      assertThat(node.ok("GET", "/_cluster/health", "").has("active_shards_percent")).isFalse();
      assertThat(node.json("/_cluster/health?wait_for_nodes=9&timeout=1ms&filter_path=timed_out"))
          .hasToString("{\"timed_out\":true}");
      node.ok("GET", "/_cluster/health?ignore_unavailable=true&allow_no_indices=true", "");
      node.ok(
          "PUT",
          "/_cluster/settings?master_timeout=0",
          "{\"persistent\":{\"action.destructive_requires_name\":null}}");
      assertThat(node.ok("GET", "/_cluster/health?expand_wildcards=none", "").at("/status"))
          .hasToString("\"green\"");
      assertThat(node.ok("GET", "/_cluster/health?wait_for_nodes=ge(1)", "").at("/timed_out"))
          .hasToString("false");
    }
  }

  @Test
  void aVersionOfTheStateIsWaitedFor(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String path = "/_cluster/state/version?wait_for_timeout=10ms&wait_for_metadata_version=";

      assertThat(node.ok("GET", path + "1", "").has("version")).isTrue();
      assertThat(node.json(path + "999999999"))
          .hasToString("{\"cluster_name\":\"holdfast\",\"wait_for_timed_out\":true}");
      refused(node, "GET", path + "0", "", "waitForMetadataVersion should be >= 1");
    }
  }

  private static void refusedInterval(NodeFixture node, String of, String interval, String bound)
      throws Exception {
    String name = of + ".poll_interval";
    refused(
        node,
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"" + name + "\":\"" + interval + "\"}}",
        "failed to parse value [" + interval + "] for setting [" + name + "], must be " + bound);
  }

  private static void refused(
      NodeFixture node, String method, String target, String body, String why) throws Exception {
    assertThat(node.refused(400, method, target, body).at("/error/reason").asText()).contains(why);
  }
}
