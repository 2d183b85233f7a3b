package dev.holdfast.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.luben.zstd.Zstd;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What any API gets from the edge, seen by a real client over a real socket.
final class HttpEdgeTest {
  private static EdgeFixture edge;

  private static final Api ECHO =
      request ->
          Answer.of(out -> {
            out.writeStartObject();
            out.writeNumberField("length", request.body().length());
            out.writeFieldName("body");
            if (request.body().isEmpty()) {
              out.writeNull();
            } else {
              out.writeRawValue(
                  new String(
                      request.body().bytes(), 0, request.body().length(), StandardCharsets.UTF_8));
            }
            out.writeObjectFieldStart("values");
            for (String name : request.pathValues().keySet()) {
              out.writeStringField(name, request.pathValues().get(name));
            }
            out.writeEndObject();
            out.writeEndObject();
          });

  @BeforeAll
  static void start() throws Exception {
    Routes routes =
        new Routes()
            .on("GET|POST", "/{index}/_echo", BodyRule.OPTIONAL, ECHO, "routing", "refresh")
            .on(
                "POST",
                "/_lines",
                BodyRule.LINES,
                r -> Answer.of(out -> out.writeNumber(r.body().length())))
            .on("GET", "/_none", BodyRule.NONE, r -> Answer.text(200, "ok"))
            .on(
                "GET|HEAD",
                "/_missing",
                BodyRule.NONE,
                r -> {
                  throw Refusal.indexNotFound("books");
                })
            .on(
                "GET",
                "/_wrapped",
                BodyRule.NONE,
                r -> {
                  throw Refusal.around(
                      ErrorType.SEARCH_PHASE_EXECUTION,
                      "all shards failed",
                      new Refusal(ErrorType.QUERY_SHARD, "no such field"));
                })
            .on(
                "GET",
                "/_broken",
                BodyRule.NONE,
                r -> {
                  throw new IllegalStateException("a bug");
                })
            .on(
                "GET|HEAD",
                "/_big",
                BodyRule.NONE,
                r ->
                    Answer.of(out -> {
                      out.writeStartArray();
                      for (int i = 0; i < 5000; i++) {
                        out.writeNumber(i);
                      }
                      out.writeEndArray();
                    }));
    edge = EdgeFixture.of(routes);
  }

  @AfterAll
  static void stop() throws Exception {
    edge.close();
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
        edge.send(edge.request("/_data_stream/a").PUT(BodyPublishers.noBody()));
    HttpResponse<String> language = edge.get("/a/_eql/search");

    assertThat(stream.statusCode()).isEqualTo(400);
    assertThat(Json.parse(stream.body()).path("error").asText())
        .startsWith("no handler found for uri [/_data_stream/a] and method [PUT]: data streams");
    assertThat(language.body()).contains("[/a/_eql/search] and method [GET]: query languages");
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
  }

  private static String filtered(String paths, String body) throws Exception {
    return edge.call("POST", "/a/_echo?filter_path=" + paths, "application/json", body).body();
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

  @Test
  void takesCompressedBodies() throws Exception {
    String body = "{\"a\":\"" + "b".repeat(200_000) + "\"}";
    byte[] plain = body.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(plain);
    }

    assertThat(compressed("gzip", zipped.toByteArray())).isEqualTo(200);
    assertThat(compressed("zstd", Zstd.compress(plain))).isEqualTo(200);
    assertThat(compressed("gzip", plain)).isEqualTo(400);
    assertThat(compressed("br", plain)).isEqualTo(406);
    assertThat(compressed("zstd", Zstd.compress(new byte[8 << 20]))).isEqualTo(413);
    assertThat(edge.requestBytes.bytes()).isZero();
  }

  private static int compressed(String encoding, byte[] body) throws Exception {
    return edge.send(
            edge.request("/a/_echo")
                .header("Content-Type", "application/json")
                .header("Content-Encoding", encoding)
                .POST(BodyPublishers.ofByteArray(body)))
        .statusCode();
  }

  @Test
  void compressesAnswersForClientsThatAsk() throws Exception {
    String plain = edge.get("/_big").body();
    HttpResponse<byte[]> gzip =
        edge.bytes(edge.request("/_big").header("Accept-Encoding", "gzip, deflate"));
    HttpResponse<byte[]> zstd =
        edge.bytes(edge.request("/_big").header("Accept-Encoding", "gzip, zstd"));
    HttpResponse<byte[]> small =
        edge.bytes(edge.request("/a/_echo").header("Accept-Encoding", "gzip"));

    assertThat(gzip.headers().firstValue("Content-Encoding")).hasValue("gzip");
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip.body()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(plain);
    }
    assertThat(zstd.headers().firstValue("Content-Encoding")).hasValue("zstd");
    assertThat(new String(Zstd.decompress(zstd.body(), plain.length()), StandardCharsets.UTF_8))
        .isEqualTo(plain);
    assertThat(small.headers().firstValue("Content-Encoding")).isEmpty();
  }

  @Test
  void speaksHttp2() throws Exception {
    HttpResponse<String> response =
        edge.send(edge.request("/a/_echo").version(HttpClient.Version.HTTP_2).GET());

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
  }

  @Test
  void refusesBodiesThatAreTooLong() throws Exception {
    byte[] tooLong = new byte[(1 << 20) + 1];
    HttpResponse<String> declared =
        edge.send(
            edge.request("/a/_echo")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(tooLong)));
    HttpResponse<String> chunked =
        edge.send(
            edge.request("/a/_echo")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(tooLong))));

    assertThat(declared.statusCode()).isEqualTo(413);
    assertThat(Json.parse(declared.body()).at("/error/type").asText())
        .isEqualTo("content_too_long_exception");
    assertThat(chunked.statusCode()).isEqualTo(413);
    assertThat(edge.requestBytes.bytes()).isZero();
  }

  @Test
  void refusesMoreBytesInFlightThanAreAllowed() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Routes routes =
        new Routes()
            .on(
                "POST",
                "/slow",
                BodyRule.REQUIRED,
                r -> {
                  entered.countDown();
                  leave.await();
                  return Answer.acknowledged();
                });
    try (EdgeFixture small = new EdgeFixture(routes, ByteSize.mib(1), 700 << 10)) {
      String body = "\"" + "x".repeat(400 << 10) + "\"";
      Future<HttpResponse<String>> first =
          small.client.sendAsync(
              small
                  .request("/slow")
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();

      HttpResponse<String> second = small.call("POST", "/slow", "application/json", body);

      assertThat(second.statusCode()).isEqualTo(429);
      assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(Json.parse(second.body()).at("/error/type").asText())
          .isEqualTo("circuit_breaking_exception");
      leave.countDown();
      assertThat(first.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      assertThat(small.requestBytes.tripped()).isEqualTo(1);
    }
  }
}
