package dev.holdfast.api.indices.downsample;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Values that are objects, and lists of objects, in what is downsampled.
final class DownsampledObjectsTest {
  private static final String INDEX =
      """
      {"settings": {"index": {"mode": "time_series", "routing_path": ["d"],
        "mapping.source.mode": "stored",
        "time_series": {"start_time": "2024-01-01T00:00:00Z", "end_time": "2024-01-02T00:00:00Z"}}},
       "mappings": {"properties": {
         "d": {"type": "keyword", "time_series_dimension": true},
         "r": {"type": "integer_range"},
         "o": {"type": "object", "enabled": false},
         "few": {"type": "aggregate_metric_double", "metrics": ["min", "max"],
           "default_metric": "max", "time_series_metric": "gauge"},
         "cores": {"properties": {"load": {"type": "double", "time_series_metric": "gauge"},
           "name": {"type": "keyword"}}}}}}
      """;

  @Test
  void anObjectIsTheLastOneAndAListIsTheValuesOfAll(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/s", INDEX);
      node.ok(
          "POST",
          "/s/_bulk?refresh=true",
          """
          {"index":{}}
          {"@timestamp":"2024-01-01T00:01:00Z","d":"a","r":{"gte":0,"lt":5},"o":{"x":1,"y":1},\
          "few":{"min":1,"max":9},"cores":[{"load":1,"name":"a"},{"load":5,"name":"b"}]}
          {"index":{}}
          {"@timestamp":"2024-01-01T00:02:00Z","d":"a","r":{"gte":2},"o":{"x":2},\
          "few":{"min":2,"max":3},"cores":[{"load":3,"name":"c"},{"load":3,"name":"d"}]}
          """);
      node.ok("PUT", "/s/_settings", "{\"index.blocks.write\":true}");

      node.ok("POST", "/s/_downsample/t", "{\"fixed_interval\":\"1h\"}");

      JsonNode found = node.ok("GET", "/t/_search", "").at("/hits/hits");
      assertThat(found).hasSize(1);
      JsonNode source = found.at("/0/_source");
      assertThat(source.path("r").toString()).isEqualTo("{\"gte\":2}");
      assertThat(source.path("o").toString()).isEqualTo("{\"x\":2}");
      assertThat(source.path("few").toString()).isEqualTo("{\"min\":1.0,\"max\":9.0}");
      assertThat(source.at("/cores/load").toString())
          .isEqualTo("{\"min\":1.0,\"max\":5.0,\"sum\":12.0,\"value_count\":4}");
      assertThat(source.at("/cores/name").toString()).isEqualTo("[\"c\",\"d\"]");
    }
  }
}
