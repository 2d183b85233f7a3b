package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A mapping that is changed stays one of its index's mode.
final class ModeChangesTest {
  private static void refused(HttpResponse<String> answer, String reason) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(Json.parse(answer.body()).at("/error/reason").asText()).contains(reason);
  }

  @Test
  void logsAndSeriesKeepTheirSourcesAndTimes(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/logs", "{\"settings\":{\"index.mode\":\"logsdb\"}}");
      node.ok(
          "PUT",
          "/series",
          """
          {"settings": {"index.mode": "time_series", "index.routing_path": ["d"]},
           "mappings": {"properties": {"d": {"type": "keyword", "time_series_dimension": true}}}}
          """);
      node.ok("PUT", "/_index_template/app", "{\"index_patterns\":[\"app\"],\"data_stream\":{}}");
      node.ok("PUT", "/_data_stream/app", "");

      String sourceless = "{\"_source\":{\"enabled\":false}}";
      refused(node.call("PUT", "/logs/_mapping", sourceless), "index using [logsdb] index mode");
      refused(node.call("PUT", "/series/_mapping", sourceless), "using [time_series] index mode");
      String untimed =
          "{\"properties\":{\"@timestamp\":{\"type\":\"date\",\"ignore_malformed\":true}}}";
      refused(node.call("PUT", "/series/_mapping", untimed), "disallowed [ignore_malformed]");
      refused(node.call("PUT", "/app/_mapping", untimed), "disallowed [ignore_malformed]");

      node.ok("PUT", "/app/_mapping", "{\"properties\":{\"more\":{\"type\":\"keyword\"}}}");
      node.ok("PUT", "/app/_mapping", sourceless);
    }
  }
}
