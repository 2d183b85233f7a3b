package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `aggregate_metric_double`.
final class AggregateMetricTest {
  private static final String MAPPING =
      "{\"settings\":{\"index.mapping.source.mode\":\"%s\"},\"mappings\":{\"properties\":{\"m\":{\"type\":\"aggregate_metric_double\",\"metrics\":[\"min\",\"max\",\"sum\",\"value_count\"],\"default_metric\":\"max\",\"time_series_metric\":\"gauge\"},\"k\":{\"type\":\"keyword\"}}}}";

  private static final String ONE =
      "{\"m\":{\"min\":1,\"max\":5,\"sum\":9,\"value_count\":4},\"k\":\"a\"}";
  private static final String TWO =
      "{\"m\":{\"min\":-2.5,\"max\":3,\"sum\":1,\"value_count\":2},\"k\":\"a\"}";

  private static final String METRICS =
      "\"aggs\":{\"min\":{\"min\":{\"field\":\"m\"}},\"max\":{\"max\":{\"field\":\"m\"}},\"sum\":{\"sum\":{\"field\":\"m\"}},\"avg\":{\"avg\":{\"field\":\"m\"}},\"count\":{\"value_count\":{\"field\":\"m\"}}}";

  private static List<Double> metrics(JsonNode aggregations) {
    return List.of("min", "max", "sum", "avg", "count").stream()
        .map(name -> aggregations.path(name).path("value").asDouble())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"stored", "synthetic"})
  void eachMetricAnswersItsAggregation(String source, @TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/a", MAPPING.formatted(source));
      node.ok("PUT", "/a/_doc/1", ONE);
      node.ok("PUT", "/a/_doc/2?refresh=true", TWO);
      node.ok("PUT", "/a/_doc/3?refresh=true", "{\"k\":\"b\"}");
      node.ok("PUT", "/plain", "{\"mappings\":{\"properties\":{\"m\":{\"type\":\"double\"}}}}");
      node.ok("PUT", "/plain/_doc/1?refresh=true", "{\"m\":20}");

      JsonNode alone = node.ok("POST", "/a/_search", "{\"size\":0," + METRICS + "}");
      assertThat(metrics(alone.path("aggregations")))
          .isEqualTo(List.of(-2.5, 5.0, 10.0, 10.0 / 6, 6.0));
      // With an index that has single measurements: all are measurements.
      JsonNode both = node.ok("POST", "/a,plain/_search", "{\"size\":0," + METRICS + "}");
      assertThat(metrics(both.path("aggregations")))
          .isEqualTo(List.of(-2.5, 20.0, 30.0, 30.0 / 7, 7.0));
      JsonNode terms =
          node.ok(
              "POST",
              "/a/_search",
              "{\"size\":0,\"aggs\":{\"k\":{\"terms\":{\"field\":\"k\"}," + METRICS + "}}}");
      assertThat(metrics(terms.at("/aggregations/k/buckets/0")))
          .isEqualTo(List.of(-2.5, 5.0, 10.0, 10.0 / 6, 6.0));
      assertThat(terms.at("/aggregations/k/buckets/1/avg/value").isNull()).isTrue();
      JsonNode missing =
          node.ok(
              "POST",
              "/a/_search",
              "{\"size\":0,\"aggs\":{\"s\":{\"sum\":{\"field\":\"m\",\"missing\":100}}}}");
      assertThat(missing.at("/aggregations/s/value").asDouble()).isEqualTo(110);

      // Queries and sorts see the default metric.
      JsonNode sorted =
          node.ok(
              "POST",
              "/a/_search",
              "{\"query\":{\"range\":{\"m\":{\"gte\":3}}},\"sort\":[{\"m\":\"desc\"}]}");
      assertThat(sorted.at("/hits/hits").findValuesAsText("_id")).isEqualTo(List.of("1", "2"));
      assertThat(Json.parse(ONE))
          .isEqualTo(Json.parse(sorted.at("/hits/hits/0/_source").toString()));
      assertThat(
              node.ok("POST", "/a/_count", "{\"query\":{\"exists\":{\"field\":\"m\"}}}")
                  .path("count")
                  .asInt())
          .isEqualTo(2);
      assertThat(
              node.ok("POST", "/a/_count", "{\"query\":{\"term\":{\"m\":5}}}")
                  .path("count")
                  .asInt())
          .isEqualTo(1);
      assertThat(node.ok("GET", "/a/_mapping", "").at("/a/mappings/properties/m"))
          .isEqualTo(Json.parse(MAPPING.formatted(source)).at("/mappings/properties/m"));
      for (String other : List.of("stats", "terms", "cardinality", "percentiles")) {
        HttpResponse<String> refused =
            node.call(
                "POST", "/a/_search", "{\"aggs\":{\"x\":{\"" + other + "\":{\"field\":\"m\"}}}}");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
            .contains(
                "Field [m] of type [aggregate_metric_double] is not supported for aggregation ["
                    + other
                    + "]");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                              ~ Property [metrics] is required for field [m].
          {'metrics':[]}                                  ~ Property [metrics] is required for field [m].
          {'metrics':['min','avg'],'default_metric':'min'} ~ Metric [avg] is not supported.
          {'metrics':['min','max']}                       ~ Property [default_metric] is required for field [m].
          {'metrics':['min','max'],'default_metric':'sum'} ~ Default metric [sum] is not defined in the metrics of field [m].
          {'metrics':['min'],'time_series_metric':'counter'} ~ Unknown value [counter] for field [time_series_metric] - accepted values are [gauge]
          {'metrics':['min'],'index':false}               ~ unknown parameter [index] on mapper [m] of type [aggregate_metric_double]
          """)
  void mappingsThatMeanNothingAreRefused(String field, String reason, @TempDir Path folder)
      throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String type = "{\"type\":\"aggregate_metric_double\"" + (field.equals("{}") ? "" : ",");
      HttpResponse<String> answer =
          node.call(
              "PUT",
              "/a",
              "{\"mappings\":{\"properties\":{\"m\":"
                  + type
                  + field.substring(1).replace('\'', '"')
                  + "}}}");
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(Json.parse(answer.body()).at("/error/reason").asText()).contains(reason);
    }
  }

  @Test
  void valuesThatAreNoneAreRefusedOrIgnored(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/a", MAPPING.formatted("stored"));
      String ignoring =
          MAPPING.replace("\"default_metric\"", "\"ignore_malformed\":true,\"default_metric\"");
      node.ok("PUT", "/b", ignoring.formatted("synthetic"));
      for (List<String> bad :
          List.of(
              List.of("5", "expecting an object of metrics but found [NUMBER]"),
              List.of(
                  "{\"min\":1}",
                  "Aggregate metric field [m] must contain all metrics [min, max, sum, value_count]"),
              List.of(
                  "{\"min\":1,\"max\":5,\"sum\":9,\"value_count\":4,\"avg\":1}",
                  "Aggregate metric [avg] does not exist in the mapping of field [m]"),
              List.of(
                  "{\"min\":null,\"max\":5,\"sum\":9,\"value_count\":4}",
                  "Aggregate metric [min] of field [m] must be a finite number"),
              List.of(
                  "{\"min\":1,\"max\":\"x\",\"sum\":9,\"value_count\":4}",
                  "Aggregate metric [max] of field [m] must be a finite number"),
              List.of(
                  "{\"min\":1,\"max\":5,\"sum\":9,\"value_count\":-4}",
                  "Aggregate metric [value_count] of field [m] cannot be a negative number"),
              List.of(
                  "{\"min\":1,\"max\":5,\"sum\":9,\"value_count\":4.5}",
                  "Aggregate metric [value_count] of field [m] must be an integer number"),
              List.of(
                  "[{\"min\":1,\"max\":5,\"sum\":9,\"value_count\":4},{\"min\":1,\"max\":5,\"sum\":9,\"value_count\":4}]",
                  "does not support indexing multiple values for the same field in the same document"))) {
        HttpResponse<String> refused =
            node.call("PUT", "/a/_doc/1", "{\"m\":" + bad.getFirst() + "}");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(refused.body()).contains(bad.getLast());
        JsonNode ignored =
            node.ok("PUT", "/b/_doc/1?refresh=true", "{\"m\":" + bad.getFirst() + "}");
        assertThat(ignored.path("_id").asText()).isEqualTo("1");
        assertThat(node.ok("GET", "/b/_doc/1", "").at("/_source/m"))
            .isEqualTo(Json.parse(bad.getFirst()));
        assertThat(
                node.ok("POST", "/b/_count", "{\"query\":{\"term\":{\"_ignored\":\"m\"}}}")
                    .path("count")
                    .asInt())
            .isEqualTo(1);
      }
    }
  }
}
