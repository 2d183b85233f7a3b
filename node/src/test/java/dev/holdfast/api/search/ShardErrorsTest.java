package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How the error of a search that failed on all shards says why.
final class ShardErrorsTest {
  @Test
  void nameTheIndexOrTheirOwnCause(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", "{\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}");

      JsonNode query =
          node.refused(400, "POST", "/books/_search", "{\"query\":{\"term\":{\"n\":\"many\"}}}");
      JsonNode window = node.refused(400, "POST", "/books/_search", "{\"size\":10001}");

      assertThat(query.at("/error/root_cause/0/type").asText()).isEqualTo("query_shard_exception");
      assertThat(query.at("/error/root_cause/0/index").asText()).isEqualTo("books");
      assertThat(query.at("/error/caused_by").isMissingNode()).isTrue();
      assertThat(query.at("/error/failed_shards/0/reason/caused_by/type").asText())
          .isEqualTo("number_format_exception");
      assertThat(window.at("/error/caused_by/type").asText())
          .isEqualTo("illegal_argument_exception");
      assertThat(window.at("/error/caused_by/caused_by/reason"))
          .isEqualTo(window.at("/error/caused_by/reason"));
    }
  }

  @Test
  void sayThatNumbersAndTextsHaveNoOrder(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String mapping = "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"%s\"}}}}";
      node.ok("PUT", "/numbers", mapping.formatted("long"));
      node.ok("PUT", "/words", mapping.formatted("keyword"));
      node.ok("PUT", "/parts", mapping.formatted("double"));
      node.ok("PUT", "/numbers/_doc/1?refresh=true", "{\"v\":1}");
      node.ok("PUT", "/words/_doc/2?refresh=true", "{\"v\":\"2\"}");
      node.ok("PUT", "/parts/_doc/3?refresh=true", "{\"v\":0.5}");

      for (String sort : new String[] {"\"v\"", "{\"v\":\"desc\"}", "\"_score\",\"v\""}) {
        String body = "{\"size\":1,\"track_total_hits\":false,\"sort\":[" + sort + "]}";
        JsonNode mixed = node.refused(400, "POST", "/numbers,words/_search", body);
        assertThat(mixed.at("/error/type").asText()).isEqualTo("search_phase_execution_exception");
        assertThat(mixed.at("/error/failed_shards")).isEmpty();
        assertThat(mixed.at("/error/caused_by/reason").asText())
            .startsWith("Can't sort on field [v]; the field has incompatible sort types: [")
            .endsWith("] across shards!");
      }

      String one = "{\"sort\":\"v\",\"query\":{\"ids\":{\"values\":[\"2\"]}}}";
      assertThat(node.ok("POST", "/numbers,words/_search", one).at("/hits/hits")).hasSize(1);
      JsonNode numbers = node.ok("POST", "/numbers,parts/_search", "{\"sort\":\"v\"}");
      assertThat(numbers.at("/hits/hits").findValuesAsText("_id")).containsExactly("3", "1");
    }
  }

  @Test
  void sayWhatQueriesCannotBe(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/places",
          "{\"mappings\":{\"properties\":{\"at\":{\"type\":\"geo_point\"},"
              + "\"n\":{\"type\":\"long\"},\"tag\":{\"type\":\"keyword\"}}}}");
      node.ok("PUT", "/places/_doc/1?refresh=true", "{\"at\":{\"lat\":10,\"lon\":20},\"n\":1}");

      JsonNode pattern =
          node.refused(400, "POST", "/places/_search", "{\"query\":{\"regexp\":{\"tag\":\"[\"}}}");
      JsonNode words = node.refused(400, "GET", "/places/_search?q=tag:(a", "");
      JsonNode format =
          node.refused(
              400,
              "POST",
              "/places/_search",
              "{\"fields\":[{\"field\":\"n\",\"format\":\"0.0\"}]}");
      JsonNode point =
          node.ok(
              "POST",
              "/places/_search",
              "{\"query\":{\"geo_shape\":{\"at\":{\"shape\":{\"type\":\"point\","
                  + "\"coordinates\":[20,10]}}}}}");

      assertThat(pattern.at("/error/root_cause/0/reason").asText())
          .startsWith("failed to create query: ");
      assertThat(words.at("/error/root_cause/0/type").asText()).isEqualTo("query_shard_exception");
      assertThat(words.at("/error/caused_by").isMissingNode()).isTrue();
      assertThat(format.at("/error/root_cause/0/reason").asText())
          .contains("doesn't support formats");
      assertThat(point.at("/hits/total/value").asInt()).isEqualTo(1);
    }
  }

  @Test
  void linesAreJsonOrSmile(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest yaml =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + "/_bulk"))
              .header("Content-Type", "application/yaml")
              .POST(HttpRequest.BodyPublishers.ofString("index: {}\n"))
              .build();

      assertThat(client.send(yaml, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(406);
    }
  }
}
