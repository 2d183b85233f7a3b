package dev.holdfast.api.indices.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Templates of data streams: what they may say, and that streams keep theirs.
final class StreamTemplateRulesTest {
  private static final String STREAMS = "{\"index_patterns\":[\"app-*\"],\"data_stream\":{}";

  private static HttpResponse<String> put(NodeFixture node, String name, String body)
      throws Exception {
    return node.call("PUT", "/_index_template/" + name, body);
  }

  private static JsonNode refused(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    return Json.parse(answer.body()).path("error");
  }

  @Test
  void whatMeansNothingIsRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      for (String options :
          new String[] {
            "null",
            "[]",
            "true",
            "{\"banana\":1}",
            "{\"hidden\":\"maybe\"}",
            "{\"hidden\":null}",
            "{\"hidden\":1}",
            "{\"allow_custom_routing\":[]}"
          }) {
        String body = "{\"index_patterns\":[\"app-*\"],\"data_stream\":" + options + "}";
        JsonNode error = refused(put(node, "app", body));
        assertThat(error.path("type").asText()).isEqualTo("x_content_parse_exception");
        assertThat(error.path("reason").asText()).contains("data_stream");
      }
      JsonNode unknown = refused(put(node, "app", STREAMS.replace("{}", "{\"banana\":1}") + "}"));
      assertThat(unknown.at("/root_cause/0/reason").asText())
          .contains("[data_stream_template] unknown field [banana]");
      for (String layer :
          new String[] {
            "{\"lifecycle\":{\"enabled\":\"maybe\"}}",
            "{\"lifecycle\":{\"enabled\":null}}",
            "{\"mappings\":{\"properties\":{\"@timestamp\":{\"type\":\"keyword\"}}}}",
            "{\"mappings\":{\"properties\":{\"@timestamp\":{\"type\":\"date\",\"doc_values\":false}}}}"
          }) {
        refused(put(node, "app", STREAMS + ",\"template\":" + layer + "}"));
      }
      assertThat(node.call("GET", "/_index_template/app", "").statusCode()).isEqualTo(404);
      HttpResponse<String> old =
          put(node, "app", STREAMS.replace("{}", "{\"failure_store\":true}") + "}");
      assertThat(old.headers().firstValue("Warning").orElse("")).contains("[failure_store]");
    }
  }

  @Test
  void lifecyclesAndOptionsAreOfStreams(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String plain = "{\"index_patterns\":[\"app-*\"]";
      JsonNode lifecycle =
          refused(put(node, "app", plain + ",\"template\":{\"lifecycle\":{\"enabled\":true}}}"));
      assertThat(lifecycle.path("reason").asText())
          .isEqualTo(
              "index template [app] specifies lifecycle configuration that can only be used in"
                  + " combination with a data stream");
      node.ok(
          "PUT",
          "/_component_template/failures",
          "{\"template\":{\"data_stream_options\":{\"failure_store\":{\"enabled\":true}}}}");
      JsonNode options = refused(put(node, "app", plain + ",\"composed_of\":[\"failures\"]}"));
      assertThat(options.path("reason").asText()).contains("specifies data stream options");
    }
  }

  @Test
  void streamsKeepTheirTemplate(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_index_template/app", STREAMS + "}");
      node.ok("PUT", "/_data_stream/app-a", "");

      assertThat(refused(node.call("DELETE", "/_index_template/a*", "")).path("reason").asText())
          .isEqualTo(
              "unable to remove composable templates [app] as they are in use by a data streams"
                  + " [app-a]");
      assertThat(
              refused(put(node, "app", "{\"index_patterns\":[\"app-*\"]}")).path("reason").asText())
          .isEqualTo(
              "composable template [app] with index patterns [app-*], priority [null] and no data"
                  + " stream configuration would cause data streams [app-a] to no longer match a"
                  + " data stream template");
      refused(put(node, "app", STREAMS.replace("app-*", "web-*") + "}"));
      refused(put(node, "over", "{\"index_patterns\":[\"app-a\"],\"priority\":9}"));
      assertThat(node.call("GET", "/_index_template/over", "").statusCode()).isEqualTo(404);

      node.ok("PUT", "/_index_template/other", STREAMS + ",\"priority\":3}");
      node.ok("DELETE", "/_index_template/app", "");
      node.ok("POST", "/app-a/_rollover", "");
      node.ok("DELETE", "/_data_stream/app-a", "");
      node.ok("DELETE", "/_index_template/other", "");
    }
  }
}
