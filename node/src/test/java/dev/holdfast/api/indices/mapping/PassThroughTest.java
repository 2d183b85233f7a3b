package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Objects of type `passthrough`; answers are those of Elasticsearch 9.5.3.
final class PassThroughTest {
  private static int count(NodeFixture node, String field, String value) throws Exception {
    String query = "{\"query\":{\"term\":{\"%s\":\"%s\"}}}".formatted(field, value);
    return node.ok("POST", "/p/_count", query).path("count").asInt();
  }

  @Test
  void fieldsAnswerToTheirNamesWithoutTheObjects(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String mapping =
          """
          {"mappings":{"properties":{
            "attributes":{"type":"passthrough","priority":10,"dynamic":"true","properties":{"a":{"type":"keyword"},"b":{"type":"keyword"}}},
            "resource":{"type":"passthrough","priority":20,"properties":{"attributes":{"type":"keyword"},"b":{"type":"long"},"c":{"type":"long"}}},
            "c":{"type":"text"},
            "o":{"properties":{"in":{"type":"passthrough","priority":1,"properties":{"k.l":{"type":"keyword"}}}}}}}}\
          """;
      node.ok("PUT", "/p", mapping);
      node.ok(
          "PUT",
          "/p/_doc/1?refresh",
          "{\"attributes\":{\"a\":\"x\",\"b\":\"y\",\"new\":{\"deep\":\"n\"}},\"resource\":{\"b\":5,\"c\":6},\"c\":\"text\",\"o\":{\"in\":{\"k\":{\"l\":\"v\"}}}}");

      JsonNode fields = node.ok("GET", "/p/_mapping", "").at("/p/mappings/properties");
      assertThat(fields.path("attributes").toString())
          .isEqualTo(
              "{\"type\":\"passthrough\",\"priority\":10,\"dynamic\":\"true\",\"properties\":{\"a\":{\"type\":\"keyword\"},\"b\":{\"type\":\"keyword\"},\"new.deep\":{\"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\",\"ignore_above\":256}}}}}");
      assertThat(count(node, "a", "x")).isEqualTo(1);
      assertThat(count(node, "attributes.a", "x")).isEqualTo(1);
      assertThat(count(node, "b", "5")).as("the higher priority").isEqualTo(1);
      assertThat(count(node, "c", "text")).as("a field of that name").isEqualTo(1);
      assertThat(count(node, "new.deep", "n")).isEqualTo(1);
      assertThat(count(node, "k.l", "v")).isEqualTo(1);
      assertThat(count(node, "in.k.l", "v")).isZero();
      JsonNode hit =
          node.ok(
                  "POST",
                  "/p/_search",
                  "{\"fields\":[\"a\",\"b\",\"c\"],\"sort\":[\"b\"],\"aggs\":{\"a\":{\"terms\":{\"field\":\"a\"}}}}")
              .at("/hits/hits/0");
      assertThat(hit.path("fields").toString())
          .isEqualTo("{\"a\":[\"x\"],\"b\":[5],\"c\":[\"text\"]}");
      // Another mapping of the object says nothing of its kind; a name of its own wins.
      node.ok(
          "PUT",
          "/p/_mapping",
          "{\"properties\":{\"attributes\":{\"properties\":{\"z\":{\"type\":\"keyword\"}}}}}");
      node.ok("PUT", "/p/_doc/2?refresh", "{\"z\":1,\"attributes\":{\"z\":\"1\"}}");
      assertThat(node.ok("GET", "/p/_mapping", "").at("/p/mappings/properties/z/type").asText())
          .isEqualTo("long");
      node.ok(
          "PUT",
          "/p/_mapping",
          "{\"properties\":{\"attributes\":{\"type\":\"passthrough\",\"priority\":30}}}");
      assertThat(count(node, "b", "y")).isEqualTo(1);
    }
  }

  @Test
  void whatDoesNotFitIsRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      for (String[] bad :
          new String[][] {
            {"{}", "is missing a non-negative value for parameter [priority]"},
            {"{\"priority\":-1}", "is missing a non-negative value"},
            {"{\"priority\":\"x\"}", "for parameter [priority]"},
            {
              "{\"priority\":1,\"subobjects\":true}", "unsupported parameters:  [subobjects : true]"
            },
            {"{\"priority\":1,\"x\":1}", "unsupported parameters:  [x : 1]"},
            {"{\"priority\":1,\"time_series_dimension\":true}", "say it of its fields"},
            {
              "{\"priority\":1,\"properties\":{\"p\":{\"type\":\"passthrough\",\"priority\":2}}}",
              "subobjects is set to false"
            }
          }) {
        String object = "{\"type\":\"passthrough\"," + bad[0].substring(1);
        HttpResponse<String> answer =
            node.call(
                "PUT",
                "/q",
                "{\"mappings\":{\"properties\":{\"at\":" + object.replace(",}", "}") + "}}}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(bad[1]);
      }
      String two = "{\"properties\":{\"%s\":{\"type\":\"passthrough\",\"priority\":1}}}";
      node.ok("PUT", "/q", "{\"mappings\":" + two.formatted("a") + "}");
      HttpResponse<String> answer = node.call("PUT", "/q/_mapping", two.formatted("b"));
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body())
          .contains("Pass-through source [b] has a conflicting param [priority=1] with source [a]");
      node.ok("PUT", "/q/_mapping", "{\"properties\":{\"plain\":{\"type\":\"object\"}}}");
      assertThat(
              node.call(
                      "PUT",
                      "/q/_mapping",
                      "{\"properties\":{\"plain\":{\"type\":\"passthrough\",\"priority\":9}}}")
                  .statusCode())
          .isEqualTo(400);
    }
  }
}
