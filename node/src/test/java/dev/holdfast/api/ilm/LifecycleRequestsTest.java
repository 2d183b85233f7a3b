package dev.holdfast.api.ilm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Policies of whole nodes, whose days pass as the test says.
final class LifecycleRequestsTest extends PassingDays {
  private static final String POLICY =
      """
      {"policy": {"phases": {
        "hot": {"actions": {"rollover": {"max_docs": 2}, "set_priority": {"priority": 50}}},
        "warm": {"min_age": "3d", "actions": {"shrink": {"number_of_shards": 1},
                 "forcemerge": {"max_num_segments": 1}, "migrate": {}}},
        "delete": {"min_age": "9d", "actions": {"delete": {}}}}}}
      """;

  private static void alias(NodeFixture node) throws Exception {
    node.ok("PUT", "/_ilm/policy/days", POLICY);
    node.ok(
        "PUT",
        "/_index_template/app",
        "{\"index_patterns\":[\"app-*\"],\"template\":{\"settings\":{\"number_of_shards\":2,"
            + "\"number_of_replicas\":0,\"index.lifecycle.name\":\"days\","
            + "\"index.lifecycle.rollover_alias\":\"app\"}}}");
    node.ok("PUT", "/app-000001", "{\"aliases\":{\"app\":{\"is_write_index\":true}}}");
  }

  private static String created(NodeFixture node, String index) throws Exception {
    return node.ok("GET", "/" + index + "/_settings?flat_settings", "")
        .path(index)
        .at("/settings/index.creation_date")
        .asText();
  }

  @Test
  void indicesOfTimeSeriesBecomeCoarserWhenTheirTimesAreOver() throws Exception {
    try (NodeFixture node = started()) {
      node.ok(
          "PUT",
          "/_ilm/policy/coarser",
          "{\"policy\":{\"phases\":{\"hot\":{\"actions\":{\"rollover\":{\"max_docs\":3},\"downsample\":{\"fixed_interval\":\"10m\"}}},"
              + "\"warm\":{\"min_age\":\"1d\",\"actions\":{\"downsample\":{\"fixed_interval\":\"1h\"}}}}}}");
      node.ok(
          "PUT",
          "/_index_template/m",
          "{\"index_patterns\":[\"m-*\"],\"data_stream\":{},\"template\":{\"settings\":{\"index.mode\":\"time_series\","
              + "\"index.lifecycle.name\":\"coarser\"},\"mappings\":{\"properties\":{"
              + "\"d\":{\"type\":\"keyword\",\"time_series_dimension\":true},"
              + "\"v\":{\"type\":\"double\",\"time_series_metric\":\"gauge\"}}}}}");
      node.ok("PUT", "/_data_stream/m-a", "");
      String first = node.ok("GET", "/m-a/_settings", "").fieldNames().next();
      String created = created(node, first);
      Instant start =
          Instant.parse(
              node.ok("GET", "/m-a/_settings?flat_settings", "")
                  .path(first)
                  .at("/settings/index.time_series.start_time")
                  .asText());
      for (int second : List.of(1200, 1201, 1202)) {
        node.ok(
            "POST",
            "/m-a/_doc?refresh=true",
            "{\"@timestamp\":\""
                + start.plusSeconds(second)
                + "\",\"d\":\"a\",\"v\":"
                + second
                + "}");
      }
      untilIn(node, first, "hot", "downsample");
      until(
          "it waits for the end of its times",
          () -> explained(node, first).path("step").asText().equals("check-ts-end-time-passed"));

      pass(Duration.ofHours(2));

      String tenMinutes = "downsample-10m-" + first;
      until("downsampled", () -> exists(node, tenMinutes) && !exists(node, first));
      JsonNode found =
          node.ok(
              "POST",
              "/m-a/_search",
              "{\"aggs\":{\"a\":{\"avg\":{\"field\":\"v\"}},\"n\":{\"value_count\":{\"field\":\"v\"}}}}");
      assertThat(found.at("/aggregations/a/value").asDouble()).isEqualTo(1201);
      assertThat(found.at("/aggregations/n/value").asInt()).isEqualTo(3);
      assertThat(found.at("/hits/total/value").asInt()).isBetween(1, 2);
      assertThat(
              node.ok("GET", "/_data_stream/m-a", "")
                  .at("/data_streams/0/indices/0/index_name")
                  .asText())
          .isEqualTo(tenMinutes);
      assertThat(created(node, tenMinutes)).isEqualTo(created);
      // The age is that of the index that was rolled over, not that of what it became.
      pass(Duration.ofHours(22).plusMinutes(30));
      String hour = "downsample-1h-" + first;
      until("once more", () -> exists(node, hour) && !exists(node, tenMinutes));
      untilIn(node, hour, "warm", "complete");
      assertThat(created(node, hour)).isEqualTo(created);
      assertThat(
              node.ok("POST", "/m-a/_search", "{\"aggs\":{\"a\":{\"avg\":{\"field\":\"v\"}}}}")
                  .at("/aggregations/a/value")
                  .asDouble())
          .isEqualTo(1201);
    }
  }

  @Test
  void anIndexLivesAsItsPolicySaysAndThroughARestart() throws Exception {
    try (NodeFixture node = started()) {
      alias(node);
      untilIn(node, "app-000001", "hot", "rollover");
      assertThat(explained(node, "app-000001").path("step").asText())
          .isEqualTo("check-rollover-ready");
      pass(Duration.ofDays(30)); // only its documents count
      node.fill("app", 3);
      until("rolled over", () -> exists(node, "app-000002"));
      untilIn(node, "app-000001", "hot", "complete");
      JsonNode settings =
          node.ok("GET", "/app-000001/_settings?flat_settings", "").at("/app-000001/settings");
      assertThat(settings.path("index.priority").asText()).isEqualTo("50");
      assertThat(settings.path("index.lifecycle.indexing_complete").asText()).isEqualTo("true");
      assertThat(node.ok("GET", "/_alias/app", "").at("/app-000002/aliases/app").toString())
          .isEqualTo("{\"is_write_index\":true}");
    }
    try (NodeFixture node = started()) {
      assertThat(explained(node, "app-000001").path("phase").asText()).isEqualTo("hot");
      pass(Duration.ofDays(4));
      until("shrunken", () -> !exists(node, "app-000001") || isAlias(node, "app-000001"));
      String shrunken = node.ok("GET", "/_alias/app-000001", "").fieldNames().next();
      assertThat(shrunken).matches("shrink-[a-z0-9]{4}-app-000001");
      untilIn(node, shrunken, "warm", "complete");
      JsonNode told = explained(node, shrunken);
      assertThat(told.at("/notes/0/action").asText()).isEqualTo("migrate");
      assertThat(told.at("/phase_execution/policy").asText()).isEqualTo("days");
      assertThat(node.ok("GET", "/app/_count", "").path("count").asInt()).isEqualTo(3);
      assertThat(node.ok("GET", "/" + shrunken + "/_settings?flat_settings", "").toString())
          .contains("\"index.number_of_shards\":\"1\"", "\"index.blocks.write\":\"true\"");
      pass(Duration.ofDays(9));
      until("deleted", () -> !exists(node, shrunken));
      assertThat(exists(node, "app-000002")).as("empty, so it is not rolled over").isTrue();
    }
  }

  private static boolean isAlias(NodeFixture node, String name) throws Exception {
    return node.call("GET", "/_alias/" + name, "").statusCode() == 200;
  }

  @Test
  void aPolicyIsKeptWhileAnIndexNamesItAndChangesCount() throws Exception {
    try (NodeFixture node = started()) {
      alias(node);
      node.ok("PUT", "/_ilm/policy/days", POLICY);
      JsonNode kept = node.ok("GET", "/_ilm/policy/days", "").path("days");
      assertThat(kept.path("version").asInt()).as("nothing changed").isEqualTo(1);
      assertThat(kept.at("/in_use_by").toString())
          .isEqualTo(
              "{\"indices\":[\"app-000001\"],\"data_streams\":[],\"composable_templates\":[\"app\"]}");
      node.ok("PUT", "/_ilm/policy/days", POLICY.replace("9d", "8d"));
      assertThat(node.ok("GET", "/_ilm/policy/d*", "").at("/days/version").asInt()).isEqualTo(2);
      assertThat(node.refused(400, "DELETE", "/_ilm/policy/days", "").toString())
          .contains("illegal_argument_exception", "in use by one or more indices: [app-000001]");
      node.refused(400, "PUT", "/_ilm/policy/days", "{\"policy\":{\"phases\":{\"tepid\":{}}}}");
      assertThat(node.ok("GET", "/_ilm/policy", "").at("/days/version").asInt()).isEqualTo(2);
      JsonNode removed = node.ok("POST", "/app-000001/_ilm/remove", "");
      assertThat(removed.toString()).isEqualTo("{\"has_failures\":false,\"failed_indexes\":[]}");
      assertThat(explained(node, "app-000001").path("managed").asBoolean(true)).isFalse();
      node.ok("DELETE", "/_ilm/policy/days", "");
      assertThat(node.refused(404, "GET", "/_ilm/policy/days", "").toString())
          .contains("resource_not_found_exception", "Lifecycle policy not found: days");
      node.refused(404, "DELETE", "/_ilm/policy/days", "");
    }
  }

  @Test
  void whatFailsIsToldAndTriedAgain() throws Exception {
    try (NodeFixture node = started()) {
      node.ok("PUT", "/lone-1", "{\"settings\":{\"index.lifecycle.name\":\"later\"}}");
      assertThat(explained(node, "lone-1").at("/step_info/reason").asText())
          .isEqualTo("policy [later] does not exist");
      node.ok("PUT", "/_ilm/policy/later", POLICY);
      until("failed", () -> explained(node, "lone-1").path("step").asText().equals("ERROR"));
      JsonNode failed = explained(node, "lone-1");
      assertThat(failed.path("failed_step").asText()).isEqualTo("check-rollover-ready");
      assertThat(failed.at("/step_info/reason").asText())
          .isEqualTo(
              "setting [index.lifecycle.rollover_alias] for index [lone-1] is empty or not"
                  + " defined");
      node.ok("PUT", "/other", "");
      assertThat(
              node.ok("GET", "/*/_ilm/explain?only_errors=true&only_managed=true", "")
                  .path("indices"))
          .hasSize(1);
      assertThat(node.ok("GET", "/*/_ilm/explain", "").path("indices")).hasSize(2);
      assertThat(node.refused(400, "POST", "/other/_ilm/retry", "").toString())
          .contains("not managed");
      node.ok(
          "POST", "/_aliases", "{\"actions\":[{\"add\":{\"index\":\"lone-1\",\"alias\":\"l\"}}]}");
      node.ok("PUT", "/lone-1/_settings", "{\"index.lifecycle.rollover_alias\":\"l\"}");
      until(
          "mended",
          () -> explained(node, "lone-1").path("step").asText().equals("check-rollover-ready"));
      assertThat(node.refused(400, "POST", "/lone-1/_ilm/retry", "").toString())
          .contains("that has not encountered an error");
    }
  }

  @Test
  void indicesAreMovedAndPoliciesStopped() throws Exception {
    try (NodeFixture node = started()) {
      alias(node);
      untilIn(node, "app-000001", "hot", "rollover");
      node.ok("POST", "/_ilm/stop", "");
      until(
          "stopped",
          () ->
              node.ok("GET", "/_ilm/status", "").path("operation_mode").asText().equals("STOPPED"));
      String at =
          "{\"current_step\":{\"phase\":\"hot\",\"action\":\"rollover\",\"name\":\"%s\"},"
              + "\"next_step\":{\"phase\":\"%s\"%s}}";
      assertThat(
              node.refused(
                      400,
                      "POST",
                      "/_ilm/move/app-000001",
                      String.format(at, "attempt-rollover", "warm", ""))
                  .toString())
          .contains("is not on current step", "currently:");
      assertThat(
              node.refused(
                      400,
                      "POST",
                      "/_ilm/move/app-000001",
                      String.format(at, "check-rollover-ready", "cold", ""))
                  .toString())
          .contains("does not exist");
      node.ok(
          "POST",
          "/_ilm/move/app-000001",
          String.format(at, "check-rollover-ready", "delete", ",\"action\":\"delete\""));
      assertThat(explained(node, "app-000001").path("step").asText())
          .isEqualTo("check-ts-end-time-passed");
      assertThat(exists(node, "app-000001")).as("stopped").isTrue();
      node.ok("POST", "/_ilm/start", "");
      until("deleted", () -> !exists(node, "app-000001"));
      assertThat(node.refused(400, "POST", "/_ilm/migrate_to_data_tiers", "").toString())
          .contains("there are no data tiers");
    }
  }

  @Test
  void ofPolicyAndLifecycleOfAStreamThePreferredWins() throws Exception {
    try (NodeFixture node = started()) {
      node.ok(
          "PUT",
          "/_ilm/policy/rolls",
          "{\"policy\":{\"phases\":{\"hot\":{\"actions\":{\"rollover\":{\"max_docs\":1}}}}}}");
      for (String prefers : new String[] {"true", "false"}) {
        node.ok(
            "PUT",
            "/_index_template/" + prefers,
            "{\"index_patterns\":[\"logs-"
                + prefers
                + "\"],\"data_stream\":{},\"priority\":900,\"template\":{\"lifecycle\":{},"
                + "\"settings\":{\"index.lifecycle.name\":\"rolls\",\"index.lifecycle.prefer_ilm\":"
                + prefers
                + "}}}");
        node.ok("POST", "/logs-" + prefers + "/_doc?refresh", "{\"@timestamp\":\"2026-01-01\"}");
      }
      until("rolled over", () -> indices(node, "logs-true").size() == 2);
      JsonNode preferred = node.ok("GET", "/_data_stream/logs-true", "").at("/data_streams/0");
      JsonNode other = node.ok("GET", "/_data_stream/logs-false", "").at("/data_streams/0");
      assertThat(preferred.path("next_generation_managed_by").asText())
          .isEqualTo("Index Lifecycle Management");
      assertThat(other.path("next_generation_managed_by").asText())
          .isEqualTo("Data stream lifecycle");
      assertThat(other.path("ilm_policy").asText()).isEqualTo("rolls");
      assertThat(indices(node, "logs-false")).hasSize(1);
      String backing = other.at("/indices/0/index_name").asText();
      assertThat(explained(node, backing).path("managed").asBoolean(true)).isFalse();
      assertThat(
              node.ok("GET", "/" + backing + "/_lifecycle/explain", "")
                  .at("/indices/" + backing + "/managed_by_lifecycle")
                  .asBoolean())
          .isTrue();
    }
  }

  private static JsonNode indices(NodeFixture node, String stream) throws Exception {
    return node.ok("GET", "/_data_stream/" + stream, "").at("/data_streams/0/indices");
  }

  @Test
  void theAgeMayComeFromTheName() throws Exception {
    try (NodeFixture node = started()) {
      node.ok(
          "PUT",
          "/_ilm/policy/old",
          "{\"policy\":{\"phases\":{\"delete\":{\"min_age\":\"100d\",\"actions\":{\"delete\":{}}}}}}");
      String dated =
          "{\"settings\":{\"index.lifecycle.name\":\"old\","
              + "\"index.lifecycle.parse_origination_date\":true}}";
      assertThat(node.refused(400, "PUT", "/no-date", dated).toString())
          .contains("does not match pattern");
      node.ok("PUT", "/young", "{\"settings\":{\"index.lifecycle.name\":\"old\"}}");
      assertThat(
              node.refused(
                      400,
                      "PUT",
                      "/young/_settings",
                      "{\"index.lifecycle.parse_origination_date\":true}")
                  .toString())
          .contains("does not match pattern");
      node.refused(400, "PUT", "/young/_settings", "{\"index.lifecycle.origination_date\":-2}");
      node.ok("PUT", "/web-2020.01.31-000001", dated);
      until("deleted", () -> !exists(node, "web-2020.01.31-000001"));
      untilIn(node, "young", "new", "complete");
    }
  }
}
