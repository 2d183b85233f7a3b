package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `_doc_count` in requests; answers are those of Elasticsearch 9.5.3.
final class DocumentCountTest {
  private static void refused(NodeFixture node, String method, String path, String body, String why)
      throws Exception {
    HttpResponse<String> answer = node.call(method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(Json.parse(answer.body()).path("error").toString()).contains(why);
  }

  @Test
  void isAPositiveWholeNumberThatTheSourceKeeps(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/i",
          "{\"mappings\":{\"dynamic\":\"strict\",\"properties\":{\"k\":{\"type\":\"keyword\"}}}}");
      node.ok("PUT", "/i/_doc/1?refresh", "{\"_doc_count\":5,\"k\":\"a\"}");
      node.ok("PUT", "/i/_doc/2?refresh", "{\"_doc_count\":2.0,\"k\":\"a\"}");
      node.ok("PUT", "/i/_doc/3?refresh", "{\"_doc_count\":[],\"k\":\"a\"}");
      String value = "{\"k\":\"b\",\"_doc_count\":%s}";
      refused(
          node, "PUT", "/i/_doc/4", value.formatted("0"), "must be a positive integer. Value [0]");
      refused(node, "PUT", "/i/_doc/4", value.formatted("-1"), "must be a positive integer");
      refused(node, "PUT", "/i/_doc/4", value.formatted("1.5"), "without data loss");
      refused(node, "PUT", "/i/_doc/4", value.formatted("3000000000"), "out of range");
      refused(node, "PUT", "/i/_doc/4", value.formatted("[1,2]"), "Arrays are not allowed");
      refused(node, "PUT", "/i/_doc/4", value.formatted("\"3\""), "but found [VALUE_STRING]");
      refused(node, "PUT", "/i/_doc/4", value.formatted("true"), "but found [VALUE_BOOLEAN]");
      refused(node, "PUT", "/i/_doc/4", value.formatted("null"), "but found [VALUE_NULL]");
      refused(node, "PUT", "/i/_doc/4", value.formatted("{}"), "but found [START_OBJECT]");

      JsonNode found =
          node.ok(
              "POST",
              "/i/_search",
              "{\"fields\":[\"_doc_count\"],\"sort\":[\"_doc\"],\"aggs\":{\"k\":{\"terms\":{\"field\":\"k\"}}}}");
      assertThat(found.at("/hits/total/value").asInt()).isEqualTo(3);
      assertThat(found.at("/hits/hits/0/_source").toString())
          .isEqualTo("{\"_doc_count\":5,\"k\":\"a\"}");
      assertThat(found.at("/hits/hits/0/fields").toString()).isEqualTo("{\"_doc_count\":[5]}");
      assertThat(found.at("/aggregations/k/buckets/0/doc_count").asInt()).isEqualTo(8);
      assertThat(node.ok("GET", "/i/_mapping", "").toString()).doesNotContain("_doc_count");
    }
  }

  @Test
  void nothingElseReadsIt(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/i/_doc/1?refresh", "{\"_doc_count\":5,\"o\":{\"_doc_count\":7}}");
      refused(
          node,
          "PUT",
          "/i/_mapping",
          "{\"properties\":{\"_doc_count\":{\"type\":\"long\"}}}",
          "defined more than once");
      String field = "{\"%s\":{\"_doc_count\":%s}}";
      refused(
          node,
          "POST",
          "/i/_search",
          "{\"query\":" + field.formatted("term", "5") + "}",
          "Cannot search on field [_doc_count]");
      refused(
          node,
          "POST",
          "/i/_search",
          "{\"query\":" + field.formatted("range", "{\"gte\":1}") + "}",
          "Cannot search on field [_doc_count]");
      refused(
          node,
          "POST",
          "/i/_search",
          "{\"query\":{\"exists\":{\"field\":\"_doc_count\"}}}",
          "does not support exists queries");
      refused(
          node, "POST", "/i/_search", "{\"sort\":[\"_doc_count\"]}", "fielddata is unsupported");
      refused(
          node,
          "POST",
          "/i/_search",
          "{\"aggs\":{\"s\":{\"sum\":{\"field\":\"_doc_count\"}}}}",
          "fielddata is unsupported");
      // In objects it is a field like others.
      assertThat(
              node.ok("GET", "/i/_mapping", "")
                  .at("/i/mappings/properties/o/properties/_doc_count/type")
                  .asText())
          .isEqualTo("long");
      assertThat(
              node.ok("GET", "/i/_field_caps?fields=_doc_count", "")
                  .at("/fields/_doc_count")
                  .toString())
          .isEqualTo(
              "{\"integer\":{\"type\":\"integer\",\"metadata_field\":true,\"searchable\":false,\"aggregatable\":false,\"inference\":false}}");
    }
  }

  @Test
  void survivesSyntheticSourcesAndUpdates(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/i", "{\"settings\":{\"index.mapping.source.mode\":\"synthetic\"}}");
      node.ok("PUT", "/i/_doc/1", "{\"_doc_count\":5,\"n\":1}");
      node.ok("POST", "/i/_update/1?refresh", "{\"doc\":{\"n\":2}}");

      JsonNode found =
          node.ok("POST", "/i/_search", "{\"aggs\":{\"n\":{\"terms\":{\"field\":\"n\"}}}}");

      assertThat(found.at("/hits/hits/0/_source").toString())
          .isEqualTo("{\"_doc_count\":5,\"n\":2}");
      assertThat(found.at("/aggregations/n/buckets/0/doc_count").asInt()).isEqualTo(5);
    }
  }
}
