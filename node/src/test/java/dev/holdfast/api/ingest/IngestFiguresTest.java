package dev.holdfast.api.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `GET /_nodes/stats/ingest`.
final class IngestFiguresTest {
  private static final String OUTER =
      """
      {"processors": [
        {"set": {"tag": "first", "field": "a", "value": 1}},
        {"set": {"if": "ctx.skip == true", "field": "b", "value": 1}},
        {"pipeline": {"name": "inner", "ignore_failure": true}}]}
      """;
  private static final String INNER =
      "{\"processors\":[{\"rename\":{\"field\":\"x\",\"target_field\":\"y\"}}]}";

  private static JsonNode pipelines(NodeFixture node) throws Exception {
    JsonNode nodes = node.ok("GET", "/_nodes/stats/ingest", "").path("nodes");
    return nodes.elements().next().at("/ingest/pipelines");
  }

  @Test
  void stepsAndCalledPipelinesAreCounted(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_ingest/pipeline/inner", INNER);
      node.ok("PUT", "/_ingest/pipeline/outer", OUTER);
      node.ok("POST", "/i/_doc?pipeline=outer", "{\"x\":1}");
      node.ok("POST", "/i/_doc?pipeline=outer", "{\"skip\":true}");
      node.ok("POST", "/_ingest/pipeline/outer/_simulate", "{\"docs\":[{\"_source\":{\"x\":1}}]}");

      JsonNode outer = pipelines(node).path("outer");
      assertThat(outer.path("count").asInt()).isEqualTo(2);
      assertThat(outer.path("failed").asInt()).isZero();
      assertThat(outer.path("ingested_as_first_pipeline_in_bytes").asInt()).isEqualTo(20);
      assertThat(outer.path("produced_as_first_pipeline_in_bytes").asInt()).isGreaterThan(20);
      JsonNode steps = outer.path("processors");
      assertThat(steps).hasSize(3);
      assertThat(steps.at("/0/set:first/type").asText()).isEqualTo("set");
      assertThat(steps.at("/0/set:first/stats/count").asInt()).isEqualTo(2);
      assertThat(steps.at("/1/set/stats/count").asInt()).isEqualTo(1);
      assertThat(steps.at("/2/pipeline:inner/stats/count").asInt()).isEqualTo(2);
      assertThat(steps.at("/2/pipeline:inner/stats/failed").asInt()).isEqualTo(1);
      JsonNode inner = pipelines(node).path("inner");
      assertThat(inner.path("count").asInt()).isEqualTo(2);
      assertThat(inner.path("failed").asInt()).isEqualTo(1);
      assertThat(inner.path("ingested_as_first_pipeline_in_bytes").asInt()).isZero();
    }
  }

  @Test
  void aPipelineThatIsPutAgainKeepsWhatItsStepsCountedAndAnotherBeginsAnew(@TempDir Path folder)
      throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String set = "{\"processors\":[{\"set\":{\"field\":\"a\",\"value\":%d}}]}";
      node.ok("PUT", "/_ingest/pipeline/p", set.formatted(1));
      node.ok("POST", "/i/_doc?pipeline=p", "{}");
      node.ok("PUT", "/_ingest/pipeline/p", set.formatted(2));
      node.ok("POST", "/i/_doc?pipeline=p", "{}");
      assertThat(pipelines(node).at("/p/processors/0/set/stats/count").asInt()).isEqualTo(2);
      node.ok(
          "PUT",
          "/_ingest/pipeline/p",
          "{\"processors\":[{\"remove\":{\"field\":\"a\",\"ignore_missing\":true}}]}");
      node.ok("POST", "/i/_doc?pipeline=p", "{}");
      assertThat(pipelines(node).at("/p/processors/0/remove/stats/count").asInt()).isEqualTo(1);
      assertThat(pipelines(node).at("/p/count").asInt()).isEqualTo(3);
    }
  }
}
