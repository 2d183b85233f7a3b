package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a restore meets in the cluster, and what it must not make of it.
final class RestoreOverTest {
  private static final String ALL = "?wait_for_completion=true";

  @TempDir private Path folder = Path.of("");

  private NodeFixture started() throws Exception {
    NodeFixture node = new NodeFixture(folder);
    node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"r\"}}");
    return node;
  }

  private static void refused(HttpResponse<String> answer, String reason) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(Json.parse(answer.body()).path("error").toString()).contains(reason);
  }

  @Test
  void aClosedIndexKeepsItsAliasesWhereThoseOfTheSnapshotStayAway() throws Exception {
    try (NodeFixture node = started()) {
      node.ok("PUT", "/a", "{\"aliases\":{\"old\":{}}}");
      node.ok("PUT", "/_snapshot/r/s" + ALL, "{\"indices\":\"a\"}");
      node.ok(
          "POST",
          "/_aliases",
          "{\"actions\":[{\"remove\":{\"index\":\"a\",\"alias\":\"old\"}},"
              + "{\"add\":{\"index\":\"a\",\"alias\":\"now\"}}]}");
      node.ok("POST", "/a/_close", "");

      node.ok("POST", "/_snapshot/r/s/_restore" + ALL, "{\"include_aliases\":false}");

      assertThat(node.ok("GET", "/a/_alias", "").toString())
          .isEqualTo("{\"a\":{\"aliases\":{\"now\":{}}}}");
    }
  }

  @Test
  void anAliasOfAStreamNeedsANameThatItMayHave() throws Exception {
    try (NodeFixture node = started()) {
      node.ok("PUT", "/_index_template/t", "{\"index_patterns\":[\"d*\"],\"data_stream\":{}}");
      node.ok("PUT", "/_data_stream/d", "");
      node.ok(
          "POST", "/_aliases", "{\"actions\":[{\"add\":{\"index\":\"d\",\"alias\":\"logs\"}}]}");
      node.ok("PUT", "/_snapshot/r/s" + ALL, "{\"indices\":\"d\"}");
      node.ok("DELETE", "/_data_stream/d", "");
      node.ok("PUT", "/logs", "");

      String restore = "/_snapshot/r/s/_restore" + ALL;
      refused(node.call("POST", restore, "{}"), "same name as the alias");
      refused(
          node.call(
              "POST",
              restore,
              "{\"rename_alias_pattern\":\"logs\",\"rename_alias_replacement\":\"no,ne\"}"),
          "must not contain");
      refused(
          node.call(
              "POST",
              restore,
              "{\"rename_alias_pattern\":\"logs\",\"rename_alias_replacement\":\"d\"}"),
          "same name as the alias");

      assertThat(node.call("GET", "/_data_stream/d", "").statusCode()).isEqualTo(404);
      node.ok("POST", restore, "{\"include_aliases\":false}");
      assertThat(node.call("GET", "/_alias/logs", "").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aCloneIsOfNoPolicy() throws Exception {
    try (NodeFixture node = started()) {
      node.ok("PUT", "/a", "");
      node.ok(
          "PUT",
          "/_snapshot/r/s" + ALL,
          "{\"indices\":\"a\",\"metadata\":{\"policy\":\"nightly\",\"why\":\"x\"}}");

      node.ok("PUT", "/_snapshot/r/s/_clone/kept", "{\"indices\":\"a\"}");

      JsonNode kept = node.ok("GET", "/_snapshot/r/kept", "").at("/snapshots/0/metadata");
      assertThat(kept.toString()).isEqualTo("{}");
    }
  }

  @Test
  void whatAMappingNeedsIsNotLeftOut() throws Exception {
    try (NodeFixture node = started()) {
      node.ok(
          "PUT",
          "/a",
          """
          {"settings": {"analysis": {"analyzer": {"own": {"tokenizer": "whitespace"}}}},
           "mappings": {"properties": {"t": {"type": "text", "analyzer": "own"}}}}
          """);
      node.ok("PUT", "/a/_doc/1?refresh", "{\"t\":\"x\"}");
      node.ok("PUT", "/_snapshot/r/s" + ALL, "{\"indices\":\"a\"}");

      HttpResponse<String> answer =
          node.call(
              "POST",
              "/_snapshot/r/s/_restore" + ALL,
              "{\"rename_pattern\":\"a\",\"rename_replacement\":\"b\","
                  + "\"ignore_index_settings\":[\"index.analysis.*\"]}");

      refused(answer, "own");
      assertThat(node.call("HEAD", "/b", "").statusCode()).isEqualTo(404);
      node.ok("POST", "/a/_close", "");
      refused(
          node.call("PUT", "/a/_settings", "{\"index.analysis.analyzer.own.tokenizer\":null}"),
          "own");
    }
  }

  @Test
  void theTimesAndTheRoutingOfSeriesStay() throws Exception {
    try (NodeFixture node = started()) {
      node.ok(
          "PUT",
          "/a",
          """
          {"settings": {"index.mode": "time_series", "index.routing_path": ["d"],
            "index.time_series.start_time": "2024-01-01T00:00:00Z"},
           "mappings": {"properties": {"d": {"type": "keyword", "time_series_dimension": true},
             "e": {"type": "keyword", "time_series_dimension": true}}}}
          """);
      node.ok("PUT", "/_snapshot/r/s" + ALL, "{\"indices\":\"a\"}");
      node.ok("POST", "/a/_close", "");

      refused(node.call("PUT", "/a/_settings", "{\"index.routing_path\":[\"e\"]}"), "routing_path");
      refused(
          node.call(
              "PUT", "/a/_settings", "{\"index.time_series.start_time\":\"2025-01-01T00:00:00Z\"}"),
          "start_time");
      refused(
          node.call(
              "POST",
              "/_snapshot/r/s/_restore" + ALL,
              "{\"index_settings\":{\"index.routing_path\":[\"e\"]}}"),
          "routing_path");
      node.ok("POST", "/_snapshot/r/s/_restore" + ALL, "{\"ignore_index_settings\":[\"index.*\"]}");
      assertThat(
              node.ok("GET", "/a/_settings?flat_settings", "")
                  .at("/a/settings/index.routing_path")
                  .toString())
          .isEqualTo("[\"d\"]");
    }
  }

  @Test
  void whatIsLeftOutFirstIsLeftOutOfAll() throws Exception {
    try (NodeFixture node = started()) {
      node.ok("PUT", "/a", "");
      node.ok("PUT", "/b", "");
      node.ok("PUT", "/_snapshot/r/s" + ALL, "");
      node.ok("PUT", "/_snapshot/r/s/_clone/c", "{\"indices\":\"-a\"}");
      node.ok("DELETE", "/a,b", "");

      node.ok("POST", "/_snapshot/r/s/_restore" + ALL, "{\"indices\":\"-b\"}");

      assertThat(node.call("HEAD", "/a", "").statusCode()).isEqualTo(200);
      assertThat(node.call("HEAD", "/b", "").statusCode()).isEqualTo(404);
      assertThat(node.ok("GET", "/_snapshot/r/c", "").at("/snapshots/0/indices").toString())
          .isEqualTo("[\"b\"]");
      refused(
          node.call("POST", "/_snapshot/r/s/_restore" + ALL, "{\"rename_pattern\":\"b\"}"),
          "has no effect without [rename_replacement]");
      refused(node.call("DELETE", "/_snapshot/r/,", ""), "");
    }
  }
}
