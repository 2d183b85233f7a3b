package dev.holdfast.api.enrich;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the index of a policy is made of, and asked with.
final class EnrichedSourcesTest {
  @TempDir Path folder;

  private static void execute(NodeFixture node, String policy, String definition) throws Exception {
    node.ok("PUT", "/_enrich/policy/" + policy, definition);
    node.ok("POST", "/_enrich/policy/" + policy + "/_execute", "");
  }

  private static JsonNode enriched(NodeFixture node, String policy, String value) throws Exception {
    return node.ok(
            "POST",
            "/_ingest/pipeline/_simulate",
            """
            {"pipeline": {"processors": [{"enrich": {"policy_name": "%s", "field": "k",
              "target_field": "e", "max_matches": 9}}]}, "docs": [{"_source": {"k": %s}}]}
            """
                .formatted(policy, value))
        .at("/docs/0");
  }

  @Test
  void documentsOfTwoIndicesMayHaveOneId() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/users-1/_doc/1?refresh", "{\"key\":\"x\",\"a\":1}");
      node.ok("PUT", "/users-2/_doc/1?refresh", "{\"key\":\"x\",\"a\":2}");

      execute(
          node,
          "users",
          "{\"match\":{\"indices\":\"users-*\",\"match_field\":\"key\",\"enrich_fields\":[\"a\"]}}");

      assertThat(enriched(node, "users", "\"x\"").at("/doc/_source/e").findValuesAsText("a"))
          .containsExactlyInAnyOrder("1", "2");
    }
  }

  @Test
  void noTemplateIsForTheIndexOfAPolicy() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/users/_doc/1?refresh", "{\"key\":\"x\",\"a\":1}");
      node.ok(
          "PUT", "/_ingest/pipeline/broken", "{\"processors\":[{\"fail\":{\"message\":\"no\"}}]}");
      node.ok(
          "PUT",
          "/_index_template/all",
          "{\"index_patterns\":[\"*\"],\"template\":{\"settings\":{\"index.default_pipeline\":"
              + "\"broken\"},\"aliases\":{\"everything\":{}}}}");

      execute(
          node,
          "users",
          "{\"match\":{\"indices\":\"users\",\"match_field\":\"key\",\"enrich_fields\":[\"a\"]}}");
      node.ok("PUT", "/_index_template/all", "{\"index_patterns\":[\"*\"],\"data_stream\":{}}");
      node.ok("POST", "/_enrich/policy/users/_execute", "");

      assertThat(enriched(node, "users", "\"x\"").at("/doc/_source/e/0/a").asInt()).isEqualTo(1);
      assertThat(node.call("GET", "/_alias/everything", "").statusCode()).isEqualTo(404);
      String task =
          node.ok(
                  "POST",
                  "/users/_delete_by_query?wait_for_completion=false",
                  "{\"query\":{\"match_all\":{}}}")
              .path("task")
              .asText();
      JsonNode done = node.ok("GET", "/_tasks/" + task + "?wait_for_completion=true", "");
      assertThat(done.path("completed").asBoolean()).isTrue();
    }
  }

  @Test
  void aShapeOfTwoPlacesIsNoPlace() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT", "/areas", "{\"mappings\":{\"properties\":{\"key\":{\"type\":\"geo_shape\"}}}}");
      node.ok(
          "PUT",
          "/areas/_doc/1?refresh",
          "{\"key\":\"POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))\",\"a\":1}");
      execute(
          node,
          "areas",
          "{\"geo_match\":{\"indices\":\"areas\",\"match_field\":\"key\","
              + "\"enrich_fields\":[\"a\"]}}");

      String found = "/doc/_source/e/0/a";
      assertThat(enriched(node, "areas", "\"LINESTRING (1 1, 2 2)\"").at(found).asInt())
          .isEqualTo(1);
      assertThat(enriched(node, "areas", "{\"lat\":\"5\",\"lon\":\"5\"}").at(found).asInt())
          .isEqualTo(1);
      assertThat(
              enriched(node, "areas", "{\"lat\":\"north\",\"lon\":\"5\"}")
                  .at("/error/reason")
                  .asText())
          .contains("[north] is no number");
    }
  }
}
