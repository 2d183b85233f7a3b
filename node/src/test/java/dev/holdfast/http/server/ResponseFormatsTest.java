package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.http.Format;
import dev.holdfast.world.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// In which formats bodies are read and answers written, and what of an answer is shown.
final class ResponseFormatsTest {
  @AutoClose private static HttpFixture edge;

  @BeforeAll
  static void start() throws Exception {
    edge = HttpFixture.of(HttpRoutes.all());
  }

  @Test
  void negotiatesMediaTypes() throws Exception {
    String compatible = "application/vnd.elasticsearch+json; compatible-with=9";
    HttpResponse<String> versioned =
        edge.send(
            edge.request("/a/_echo")
                .header("Accept", compatible)
                .header("Content-Type", compatible)
                .POST(BodyPublishers.ofString("{\"a\":1}")));

    assertThat(versioned.headers().firstValue("Content-Type"))
        .hasValue("application/vnd.elasticsearch+json;compatible-with=9");
    assertThat(edge.get("/a/_echo").headers().firstValue("Content-Type"))
        .hasValue("application/json");
    assertThat(edge.get("/a/_echo?format=yaml").body()).startsWith("---\nlength: 0");
    assertThat(edge.call("POST", "/a/_echo", "text/unknown", "x").statusCode()).isEqualTo(406);
    assertThat(edge.call("POST", "/a/_echo", "text/unknown", "x").body())
        .isEqualTo(
            "{\"error\":\"Content-Type header [text/unknown] is not supported\",\"status\":406}");
    assertThat(edge.call("POST", "/a/_echo", "application/x-ndjson", "{}\n").statusCode())
        .isEqualTo(200);
    assertThat(edge.call("POST", "/_lines", "application/x-ndjson", "{}\n").body()).isEqualTo("3");
    assertThat(edge.send(edge.request("/a/_echo").header("Accept", "image/png")).statusCode())
        .isEqualTo(406);
    assertThat(
            edge.send(
                    edge.request("/a/_echo")
                        .header("Accept", "application/vnd.elasticsearch+json;compatible-with=7"))
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void readsAndWritesYamlCborAndSmile() throws Exception {
    JsonNode tree = Json.parse("{\"a\":[1,2.50,\"x\",null,true],\"b\":{\"c\":12345678901}}");
    for (Format format : new Format[] {Format.YAML, Format.CBOR, Format.SMILE}) {
      HttpResponse<byte[]> response =
          edge.bytes(
              edge.request("/a/_echo")
                  .header("Content-Type", "application/" + format.label())
                  .POST(BodyPublishers.ofByteArray(format.mapper().writeValueAsBytes(tree))));

      assertThat(response.statusCode()).as(format.label()).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Type"))
          .hasValue("application/" + format.label());
      assertThat(Json.parse(format.mapper().readTree(response.body()).path("body").toString()))
          .isEqualTo(Json.parse(tree.toString()));
    }
  }

  @Test
  void filtersAnswers() throws Exception {
    String body =
        "{\"errors\":true,\"items\":[{\"index\":{\"_id\":\"1\",\"status\":201}},"
            + "{\"create\":{\"status\":400,\"error\":{\"type\":\"x\"}}}]}";

    assertThat(filtered("body.errors,body.items.*.error,body.items.*.status", body))
        .isEqualTo(
            "{\"body\":{\"errors\":true,\"items\":[{\"index\":{\"status\":201}},"
                + "{\"create\":{\"status\":400,\"error\":{\"type\":\"x\"}}}]}}");
    assertThat(filtered("**.type", body))
        .isEqualTo("{\"body\":{\"items\":[{\"create\":{\"error\":{\"type\":\"x\"}}}]}}");
    assertThat(filtered("body,-body.items,-**.type", body))
        .isEqualTo("{\"body\":{\"errors\":true}}");
    assertThat(filtered("-body,-values", body)).isEqualTo("{\"length\":" + body.length() + "}");
    assertThat(filtered("nothing.here", body)).isEqualTo("{}");
    assertThat(edge.get("/a/_echo?format=yaml&filter_path=nothing").body()).isEqualTo("--- {}\n");
    assertThat(edge.get("/a/_echo?format=cbor&filter_path=nothing").statusCode()).isEqualTo(200);
  }

  private static String filtered(String paths, String body) throws Exception {
    return edge.call("POST", "/a/_echo?filter_path=" + paths, "application/json", body).body();
  }

  @Test
  void filtersWhatIsAnsweredWithAnyStatusButErrors() throws Exception {
    HttpResponse<String> absent = edge.get("/_absent?filter_path=found");

    assertThat(absent.statusCode()).isEqualTo(404);
    assertThat(absent.body()).isEqualTo("{\"found\":false}");
    assertThat(edge.get("/_missing?filter_path=found").body())
        .startsWith("{\"error\":")
        .isEqualTo(edge.get("/_missing").body());
    assertThat(edge.get("/_nowhere/at/all/here?filter_path=found").body())
        .startsWith("{\"error\":\"no handler found");
    assertThat(edge.call("PUT", "/_none?filter_path=found", "application/json", "").body())
        .startsWith("{\"error\":\"Incorrect HTTP method")
        .endsWith("\"status\":405}");
  }

  @Test
  void indentsForPeople() throws Exception {
    String pretty = edge.call("POST", "/a/_echo?pretty", "application/json", "{\"a\":[1]}").body();

    assertThat(pretty)
        .isEqualTo(
            """
            {
              "length" : 9,
              "body" : {
                "a" : [
                  1
                ]
              },
              "values" : {
                "index" : "a"
              }
            }
            """);
  }
}
