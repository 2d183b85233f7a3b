package dev.holdfast.api.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SimulateIngestTest {
  private static final String DOCUMENT =
      "\"docs\":[{\"_index\":\"a\",\"_id\":\"1\",\"_source\":{\"x\":1}}]";

  @Test
  void documentsGoThroughThePipelinesOfTheirIndices(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/_ingest/pipeline/p",
          "{\"processors\":[{\"set\":{\"field\":\"y\",\"value\":2}}]}");
      node.ok("PUT", "/a", "{\"settings\":{\"index.default_pipeline\":\"p\"}}");
      JsonNode plain = simulated(node, "/_ingest/_simulate", "{" + DOCUMENT + "}");
      assertThat(plain.toString())
          .isEqualTo(
              "{\"doc\":{\"_id\":\"1\",\"_index\":\"a\",\"_version\":-3,\"_source\":{\"x\":1,\"y\":2},"
                  + "\"executed_pipelines\":[\"p\"]}}");
      // and: with a pipeline and a template that are not there
      JsonNode other =
          simulated(
              node,
              "/_ingest/_simulate",
              "{"
                  + DOCUMENT.replace("\"a\"", "\"new\"")
                  + ",\"pipeline_substitutions\":{\"q\":{\"processors\":[{\"remove\":{\"field\":\"x\"}}]}},"
                  + "\"index_template_substitutions\":{\"t\":{\"index_patterns\":[\"new\"],\"template\":"
                  + "{\"settings\":{\"index.default_pipeline\":\"q\"}}}}}");
      assertThat(other.at("/doc/_source")).isEmpty();
      assertThat(other.at("/doc/executed_pipelines/0").asText()).isEqualTo("q");
      assertThat(node.call("GET", "/_ingest/pipeline/q", "").statusCode()).isEqualTo(404);
      assertThat(node.call("HEAD", "/new", "").statusCode()).isEqualTo(404);
      // and: a failure is told in the place of its document
      assertThat(
              simulated(node, "/_ingest/a/_simulate?pipeline=none", "{\"docs\":[{\"_source\":{}}]}")
                  .at("/error/reason")
                  .asText())
          .isEqualTo("pipeline with id [none] does not exist");
    }
  }

  @Test
  void whatIsMissingIsRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      for (String body :
          new String[] {
            "{}",
            "{\"docs\":[]}",
            "{\"docs\":[{\"_source\":{}}]}",
            "{\"docs\":[{\"_index\":\"a\"}]}",
            "{" + DOCUMENT + ",\"pipeline_substitutions\":{\"q\":1}}",
            "{" + DOCUMENT + ",\"mapping_addition\":{\"properties\":{}}}",
            "{" + DOCUMENT + ",\"other\":{}}"
          }) {
        node.refused(400, "POST", "/_ingest/_simulate", body);
      }
    }
  }

  @Test
  void whatHasNoEffectIsWarnedOf(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String mappings = "{\"template\":{\"mappings\":{\"properties\":{\"x\":{\"type\":\"ip\"}}}}}";
      HttpResponse<String> warned =
          node.call(
              "POST",
              "/_ingest/_simulate",
              "{"
                  + DOCUMENT.replace("\"_id\"", "\"_score\":1,\"_id\"")
                  + ",\"component_template_substitutions\":{\"c\":"
                  + mappings
                  + "}}");

      assertThat(warned.statusCode()).as(warned.body()).isEqualTo(200);
      assertThat(warned.headers().allValues("Warning")).hasSize(2);
      assertThat(warned.headers().allValues("Warning").getFirst()).contains("substitutes [c]");
      assertThat(warned.headers().allValues("Warning").getLast()).contains("[_score]");
      HttpResponse<String> plain = node.call("POST", "/_ingest/_simulate", "{" + DOCUMENT + "}");
      assertThat(plain.headers().firstValue("Warning")).isEmpty();
    }
  }

  private static JsonNode simulated(NodeFixture node, String path, String body) throws Exception {
    return node.ok("POST", path, body).at("/docs/0");
  }
}
