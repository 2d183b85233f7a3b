package dev.holdfast.api.indices.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Templates, rollovers and analyses that Elasticsearch refuses.
final class StrictTemplatesTest {
  @Test
  void namesThatMatchNothingAreMissing(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(node.refused(404, "GET", "/_index_template/no*", "").at("/index_templates"))
          .isEmpty();
      assertThat(node.call("GET", "/_component_template/no*", "").statusCode()).isEqualTo(404);
      assertThat(node.call("GET", "/_template/no*", "").statusCode()).isEqualTo(404);
      assertThat(node.call("GET", "/_index_template", "").statusCode()).isEqualTo(200);
      assertThat(node.refused(404, "POST", "/none/_rollover", "").at("/error/type").asText())
          .isEqualTo("resource_not_found_exception");
    }
  }

  @Test
  void refusesWhatCannotBeMeant(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String template = "{\"index_patterns\":[\"a*\"]}";
      node.ok("PUT", "/logs-1", "{\"aliases\":{\"logs\":{}}}");

      refused(node, "PUT", "/_index_template/Big", template, "must be lower cased");
      refused(node, "PUT", "/_index_template/_a", template, "must not start with '_'");
      for (String member :
          new String[] {
            "\"priority\":1000000000000000000000",
            "\"version\":1000000000000000000000",
            "\"ignore_missing_component_templates\":5"
          }) {
        refused(
            node,
            "PUT",
            "/_index_template/a",
            "{\"index_patterns\":[\"a*\"]," + member + "}",
            "failed to parse field");
      }
      refused(node, "POST", "/_index_template/_simulate", "", "must be specified for simulation");
      refused(
          node,
          "POST",
          "/logs/_rollover",
          "{\"conditions\":{\"min_docs\":1}}",
          "at least one max_*");
      refused(
          node,
          "POST",
          "/_analyze",
          "{\"normalizer\":\"lowercase\",\"text\":\"A\"}",
          "index is required if normalizer is specified");
    }
  }

  private static void refused(
      NodeFixture node, String method, String target, String body, String why) throws Exception {
    assertThat(node.refused(400, method, target, body).at("/error/reason").asText()).contains(why);
  }
}
