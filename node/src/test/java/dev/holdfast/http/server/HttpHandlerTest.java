package dev.holdfast.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What any API gets from the edge, seen by a real client over a real socket: routes, parameters,
/// methods and errors.
final class HttpHandlerTest {
  @AutoClose private static HttpFixture edge;

  @BeforeAll
  static void start() throws Exception {
    edge = HttpFixture.of(HttpRoutes.all());
  }

  @Test
  void saysWhatItIsOnEveryAnswer() throws Exception {
    for (String target : new String[] {"/a/_echo", "/nowhere/at/all", "/_missing", "/_broken"}) {
      assertThat(edge.get(target).headers().firstValue("X-Elastic-Product"))
          .as(target)
          .hasValue("Elasticsearch");
    }
  }

  @Test
  void echoesTheOpaqueIdAndDecodesPathsSegmentBySegment() throws Exception {
    HttpResponse<String> response =
        edge.send(edge.request("/a%2Fb%20c/_echo").header("X-Opaque-Id", "me").GET());

    assertThat(response.headers().firstValue("X-Opaque-Id")).hasValue("me");
    assertThat(Json.parse(response.body()).at("/values/index").asText()).isEqualTo("a/b c");
  }

  @Test
  void refusesUnknownParametersWithSuggestions() throws Exception {
    HttpResponse<String> response = edge.get("/a/_echo?rooting=x&zzz=1");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(Json.parse(response.body()).at("/error/reason").asText())
        .isEqualTo(
            "request [/a/_echo] contains unrecognized parameters: [rooting] -> did you mean"
                + " [routing]?, [zzz]");
  }

  @Test
  void answersWrongMethodsAndPathsAsElasticsearchDoes() throws Exception {
    HttpResponse<String> wrongMethod = edge.send(edge.request("/a/_echo").DELETE());
    HttpResponse<String> wrongPath = edge.get("/a/b/c?x=y");

    assertThat(wrongMethod.statusCode()).isEqualTo(405);
    assertThat(wrongMethod.headers().firstValue("Allow")).hasValue("GET,POST");
    assertThat(Json.parse(wrongMethod.body()).path("error").asText())
        .isEqualTo(
            "Incorrect HTTP method for uri [/a/_echo] and method [DELETE], allowed: [GET, POST]");
    assertThat(wrongPath.statusCode()).isEqualTo(400);
    assertThat(wrongPath.body())
        .isEqualTo("{\"error\":\"no handler found for uri [/a/b/c?x=y] and method [GET]\"}");
  }

  @Test
  void saysWhichFeatureOfElasticsearchIsMissing() throws Exception {
    HttpResponse<String> stream =
        edge.send(edge.request("/_watcher/a").PUT(BodyPublishers.noBody()));
    HttpResponse<String> language = edge.get("/a/_eql/search");

    assertThat(stream.statusCode()).isEqualTo(400);
    assertThat(Json.parse(stream.body()).path("error").asText())
        .startsWith("no handler found for uri [/_watcher/a] and method [PUT]: watches");
    assertThat(language.body()).contains("[/a/_eql/search] and method [GET]: query languages");
  }

  /// Three seconds, for all that the HTTP library does by itself.
  @Test
  void closesForAClientThatReadsToTheEnd() throws Exception {
    try (Socket client = new Socket("127.0.0.1", edge.request("/").build().uri().getPort())) {
      client.setSoTimeout(2500);
      client
          .getOutputStream()
          .write("GET /a/_echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes(UTF_8));
      assertThat(new String(client.getInputStream().readAllBytes(), UTF_8))
          .startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void answersHeadAndOptionsWithoutABody() throws Exception {
    HttpResponse<String> head =
        edge.send(edge.request("/_big").method("HEAD", BodyPublishers.noBody()));
    HttpResponse<String> missing =
        edge.send(edge.request("/_missing").method("HEAD", BodyPublishers.noBody()));
    HttpResponse<String> options =
        edge.send(edge.request("/_big").method("OPTIONS", BodyPublishers.noBody()));

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValueAsLong("Content-Length"))
        .hasValue(edge.get("/_big").body().length());
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.body()).isEmpty();
    assertThat(options.statusCode()).isEqualTo(200);
    assertThat(options.headers().firstValue("Allow")).hasValue("GET,HEAD");
  }

  @Test
  void anErrorOfTheMachineIsAnsweredInTheSameShape() throws Exception {
    HttpResponse<String> unloaded = edge.get("/_unloaded");

    assertThat(unloaded.statusCode()).isEqualTo(500);
    assertThat(Json.parse(unloaded.body()).at("/error/reason").asText()).contains("gone");
  }

  @Test
  void writesErrorsInElasticsearchsShape() throws Exception {
    HttpResponse<String> missing = edge.get("/_missing");
    JsonNode wrapped = Json.parse(edge.get("/_wrapped").body());
    JsonNode broken = Json.parse(edge.get("/_broken").body());

    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.body())
        .isEqualTo(
            "{\"error\":{\"root_cause\":[{\"type\":\"index_not_found_exception\",\"reason\":\"no"
                + " such index [books]\",\"resource.type\":\"index_or_alias\",\"resource.id\":"
                + "\"books\",\"index_uuid\":\"_na_\",\"index\":\"books\"}],\"type\":"
                + "\"index_not_found_exception\",\"reason\":\"no such index [books]\","
                + "\"resource.type\":\"index_or_alias\",\"resource.id\":\"books\",\"index_uuid\":"
                + "\"_na_\",\"index\":\"books\"},\"status\":404}");
    assertThat(wrapped.at("/error/root_cause/0/type").asText()).isEqualTo("query_shard_exception");
    assertThat(wrapped.at("/error/caused_by/reason").asText()).isEqualTo("no such field");
    assertThat(broken.at("/status").asInt()).isEqualTo(500);
    assertThat(broken.at("/error/type").asText()).isEqualTo("exception");
    assertThat(broken.at("/error/stack_trace").isMissingNode()).isTrue();
    assertThat(
            Json.parse(edge.get("/_missing?error_trace=true").body())
                .at("/error/stack_trace")
                .asText())
        .contains("Refusal");
  }

  @Test
  void checksWhetherABodyIsWanted() throws Exception {
    JsonNode unwanted = Json.parse(edge.call("GET", "/_none", "application/json", "{}").body());
    JsonNode wanted =
        Json.parse(edge.send(edge.request("/_lines").POST(BodyPublishers.noBody())).body());
    JsonNode onGet =
        Json.parse(edge.call("GET", "/a/_echo", "application/json", "{\"q\":1}").body());

    assertThat(unwanted.at("/error/reason").asText())
        .isEqualTo("request [GET /_none] does not support having a body");
    assertThat(wanted.at("/error/reason").asText()).isEqualTo("request body is required");
    assertThat(onGet.at("/body/q").asInt()).isEqualTo(1);
  }

  @Test
  void speaksHttp2() throws Exception {
    HttpResponse<String> response =
        edge.send(edge.request("/a/_echo").version(HttpClient.Version.HTTP_2).GET());

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
  }
}
