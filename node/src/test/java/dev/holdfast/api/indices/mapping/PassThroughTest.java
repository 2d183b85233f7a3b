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
  void fieldsOfAnObjectOfDimensionsAreDimensions(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      // given
      node.ok(
          "PUT",
          "/p",
          """
          {"settings":{"index":{"mode":"time_series","routing_path":["attributes.host","attributes.p*"],
            "time_series":{"start_time":"2024-01-01T00:00:00Z","end_time":"2024-01-02T00:00:00Z"}}},
           "mappings":{"properties":{"v":{"type":"double","time_series_metric":"gauge"},
             "attributes":{"type":"passthrough","priority":1,"time_series_dimension":true,
               "properties":{"host":{"type":"keyword"},"text":{"type":"double"}}}}}}\
          """);
      // when documents bring fields of it, and a person says others
      String document =
          "{\"@timestamp\":\"2024-01-01T01:00:00Z\",\"v\":1,\"attributes\":{\"host\":\"a\",%s}}";
      node.ok("POST", "/p/_doc", document.formatted("\"pod\":{\"name\":\"x\"},\"port\":80"));
      node.ok("POST", "/p/_doc", document.formatted("\"pod\":{\"name\":\"y\"},\"port\":80"));
      node.ok("POST", "/p/_doc?refresh", document.formatted("\"pod.name\":\"x\",\"port\":81"));
      node.ok(
          "PUT",
          "/p/_mapping",
          "{\"properties\":{\"attributes.zone\":{\"type\":\"ip\"},\"attributes\":{\"properties\":{\"up\":{\"type\":\"boolean\"}}}}}");
      // then they are dimensions, and tell series apart
      JsonNode attributes =
          node.ok("GET", "/p/_mapping", "").at("/p/mappings/properties/attributes");
      assertThat(attributes.path("time_series_dimension").asBoolean()).isTrue();
      for (String name : new String[] {"host", "pod.name", "port", "zone", "up"}) {
        assertThat(
                attributes.path("properties").path(name).path("time_series_dimension").asBoolean())
            .as(name)
            .isTrue();
      }
      assertThat(attributes.path("properties").path("pod.name").path("type").asText())
          .isEqualTo("keyword");
      assertThat(attributes.path("properties").path("text").has("time_series_dimension")).isFalse();
      assertThat(node.ok("GET", "/p/_count", "").path("count").asInt()).isEqualTo(3);
      assertThat(count(node, "pod.name", "x")).isEqualTo(2);
      assertThat(
              node.call("POST", "/p/_doc", document.formatted("\"port\":81,\"pod.name\":\"x\""))
                  .statusCode())
          .isEqualTo(409);
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
            {"{\"priority\":1,\"time_series_dimension\":\"x\"}", "only [true] or [false]"},
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
