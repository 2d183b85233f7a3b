package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of documents that a data stream cannot take.
final class FailureStoreRequestsTest {
  private static final String GOOD = "{\"@timestamp\":\"2026-01-01\",\"n\":1}";
  private static final String BAD = "{\"@timestamp\":\"2026-01-01\",\"n\":\"x\"}";

  private static NodeFixture started(Path folder, String options) throws Exception {
    NodeFixture node = new NodeFixture(folder);
    node.ok(
        "PUT", "/_ingest/pipeline/outer", "{\"processors\":[{\"pipeline\":{\"name\":\"inner\"}}]}");
    node.ok(
        "PUT",
        "/_ingest/pipeline/inner",
        """
        {"processors": [{"set": {"field": "seen", "value": true}},
                        {"lowercase": {"field": "name", "ignore_missing": true, "tag": "small"}}]}
        """);
    node.ok(
        "PUT",
        "/_index_template/app",
        """
        {"index_patterns": ["app-*"], "data_stream": {},
         "template": {"settings": {"index.default_pipeline": "outer"},
                      "data_stream_options": %s,
                      "mappings": {"properties": {"n": {"type": "integer"}}}}}
        """
            .formatted(options));
    return node;
  }

  private static NodeFixture started(Path folder) throws Exception {
    return started(folder, "{\"failure_store\":{\"enabled\":true}}");
  }

  private static JsonNode failures(NodeFixture node, String stream) throws Exception {
    return node.ok("GET", "/" + stream + "::failures/_search?sort=@timestamp", "").path("hits");
  }

  private static int count(NodeFixture node, String names) throws Exception {
    return node.ok("GET", "/" + names + "/_count", "").path("count").asInt();
  }

  @Test
  void itemsOfABulkThatMappingsAndPipelinesRefuse(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      String bulk =
          "{\"create\":{}}\n%s\n{\"create\":{\"_id\":\"7\"}}\n%s\n{\"create\":{}}\n%s\n"
              .formatted(GOOD, BAD, "{\"@timestamp\":\"2026-01-01\",\"name\":5}");
      JsonNode answer = node.ok("POST", "/app-a/_bulk?refresh", bulk);

      assertThat(answer.path("errors").asBoolean()).isFalse();
      assertThat(answer.at("/items/0/create").has("failure_store")).isFalse();
      JsonNode kept = answer.at("/items/1/create");
      assertThat(kept.path("failure_store").asText()).isEqualTo("used");
      assertThat(kept.path("status").asInt()).isEqualTo(201);
      assertThat(kept.path("_index").asText()).startsWith(".fs-app-a-");
      assertThat(answer.at("/items/2/create/failure_store").asText()).isEqualTo("used");
      assertThat(count(node, "app-a")).as("the stream itself").isEqualTo(1);
      assertThat(count(node, "app-a::data")).isEqualTo(1);
      assertThat(count(node, "*")).as("failures are not searched beside data").isEqualTo(1);

      JsonNode mapping =
          node.ok(
                  "POST",
                  "/app-a::failures/_search",
                  "{\"query\":{\"term\":{\"document.id\":\"7\"}}}")
              .at("/hits/hits/0/_source");
      assertThat(mapping.at("/document/index").asText()).isEqualTo("app-a");
      assertThat(mapping.at("/document/source/n").asText()).isEqualTo("x");
      assertThat(mapping.at("/document/source/seen").asBoolean()).as("pipelined").isTrue();
      assertThat(mapping.at("/error/type").asText()).isEqualTo("document_parsing_exception");
      assertThat(mapping.at("/error/message").asText()).contains("failed to parse field [n]");
      assertThat(mapping.at("/error/stack_trace").asText()).contains("\tat ");
      assertThat(mapping.path("error").has("pipeline")).isFalse();
      JsonNode ingest =
          node.ok(
                  "POST",
                  "/app-a::failures/_search",
                  "{\"query\":{\"term\":{\"error.processor_tag\":\"small\"}}}")
              .at("/hits/hits/0/_source");
      assertThat(ingest.at("/document/source").has("seen")).as("as it came").isFalse();
      assertThat(ingest.at("/document").has("id")).isFalse();
      assertThat(ingest.at("/error/pipeline").asText()).isEqualTo("inner");
      assertThat(ingest.at("/error/pipeline_trace").toString()).isEqualTo("[\"outer\",\"inner\"]");
      assertThat(ingest.at("/error/processor_type").asText()).isEqualTo("lowercase");
    }
  }

  @Test
  void aSingleDocumentIsAnsweredAlike(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      // The first write of all fails: the stream is made for it.
      HttpResponse<String> refused = node.call("POST", "/app-a/_doc?refresh", "{\"name\":5}");
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(201);
      assertThat(refused.body()).contains("\"failure_store\":\"used\"", "\".fs-app-a-");
      assertThat(node.call("PUT", "/app-a/_create/1?refresh", BAD).statusCode()).isEqualTo(201);
      // Not even one of its own.
      assertThat(node.call("POST", "/app-a/_doc?refresh", "{\"n\":1}").statusCode()).isEqualTo(201);

      assertThat(failures(node, "app-a").at("/total/value").asInt()).isEqualTo(3);
      assertThat(count(node, "app-a")).isZero();
      node.ok("PUT", "/app-a/_create/2?refresh", GOOD);
      assertThat(node.call("PUT", "/app-a/_create/2", GOOD).statusCode())
          .as("a conflict is for its sender")
          .isEqualTo(409);
      assertThat(node.call("PUT", "/app-a/_doc/3", BAD).statusCode()).isEqualTo(400);
      assertThat(failures(node, "app-a").at("/total/value").asInt()).isEqualTo(3);
    }
  }

  @Test
  void whereItIsNotEnabledTheAnswerSaysSo(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder, "{}")) {
      String bulk = "{\"create\":{}}\n" + BAD + "\n{\"create\":{\"_index\":\"plain\"}}\n{]\n";
      JsonNode items = node.ok("POST", "/app-a/_bulk", bulk).path("items");
      assertThat(items.at("/0/create/failure_store").asText()).isEqualTo("not_enabled");
      assertThat(items.at("/0/create/status").asInt()).isEqualTo(400);
      assertThat(items.at("/1/create").has("failure_store")).isFalse();
      assertThat(node.call("POST", "/app-a/_doc", BAD).body())
          .contains("\"failure_store\":\"not_enabled\"");

      node.ok(
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"data_streams.failure_store.enabled\":[\"app-*\"]}}");
      assertThat(node.call("POST", "/app-a/_doc?refresh", BAD).statusCode()).isEqualTo(201);
      JsonNode shown = node.ok("GET", "/_data_stream/app-a", "").at("/data_streams/0");
      assertThat(shown.at("/failure_store/enabled").asBoolean()).isTrue();
      node.ok("PUT", "/_data_stream/app-a/_options", "{\"failure_store\":{\"enabled\":false}}");
      assertThat(node.call("POST", "/app-a/_doc", BAD).statusCode()).isEqualTo(400);
      assertThat(failures(node, "app-a").at("/total/value").asInt()).as("stay").isEqualTo(1);
    }
  }

  @Test
  void whatTheStoreCannotTakeEitherIsAnErrorWithBothReasons(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/_data_stream/app-a", "");
      JsonNode malformed =
          node.ok("POST", "/app-a/_bulk?pipeline=_none", "{\"create\":{}}\n{\"n\":\n")
              .at("/items/0/create");
      assertThat(malformed.path("failure_store").asText()).isEqualTo("failed");
      assertThat(malformed.at("/error/suppressed/0/reason").asText()).contains("no JSON");

      node.ok("POST", "/app-a::failures/_rollover", "");
      node.ok("PUT", "/app-a::failures/_settings", "{\"index.blocks.write\":true}");
      HttpResponse<String> blocked = node.call("POST", "/app-a/_doc", BAD);
      assertThat(blocked.statusCode()).isEqualTo(400);
      assertThat(blocked.body())
          .contains("document_parsing_exception", "\"failure_store\":\"failed\"", "suppressed")
          .contains("cluster_block_exception");
    }
  }

  @Test
  void itsIndicesAreMadeLateRolledOverAndShown(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/_data_stream/app-a", "");
      JsonNode empty =
          node.ok("GET", "/_data_stream/app-a", "").at("/data_streams/0/failure_store");
      assertThat(empty.path("indices")).isEmpty();
      assertThat(empty.path("rollover_on_write").asBoolean()).isTrue();
      assertThat(failures(node, "app-a").at("/total/value").asInt()).isZero();

      assertThat(
              node.refused(
                      400,
                      "POST",
                      "/app-a::failures/_rollover",
                      "{\"conditions\":{\"max_docs\":1}}")
                  .toString())
          .contains("only supported without conditions");
      JsonNode first = node.ok("POST", "/app-a::failures/_rollover", "");
      assertThat(first.path("old_index").asText()).isEqualTo("_none_");
      assertThat(first.path("new_index").asText()).matches("\\.fs-app-a-.*-000002");
      node.call("POST", "/app-a/_doc?refresh", BAD);
      node.ok("POST", "/app-a/_rollover", "");
      node.ok("POST", "/app-a::failures/_rollover?lazy", "");
      assertThat(node.call("POST", "/app-a/_doc?refresh", BAD).body()).contains("-000004");

      JsonNode shown = node.ok("GET", "/_data_stream/app-a", "").at("/data_streams/0");
      assertThat(shown.path("generation").asInt()).isEqualTo(4);
      assertThat(shown.at("/failure_store/indices")).hasSize(2);
      assertThat(shown.path("indices")).hasSize(2);
      assertThat(
              node.ok("GET", "/app-a::failures/_stats", "")
                  .at("/_all/primaries/docs/count")
                  .asInt())
          .isEqualTo(2);
      assertThat(count(node, "*::failures,-app-a::failures")).isZero();
      assertThat(count(node, "*::failures,-app-a")).isEqualTo(2);
      String last = shown.at("/failure_store/indices/1/index_name").asText();
      assertThat(node.call("DELETE", "/" + last, "").statusCode()).isEqualTo(400);
      node.ok(
          "POST", "/app-a::failures/_delete_by_query?refresh", "{\"query\":{\"match_all\":{}}}");
      assertThat(count(node, "app-a::failures")).isZero();
      node.ok("DELETE", "/_data_stream/app-a", "");
      assertThat(node.call("GET", "/" + last, "").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void documentsOfAReindexToo(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/source", "{\"mappings\":{\"dynamic\":false}}");
      node.call("PUT", "/source/_doc/1", GOOD);
      node.call("PUT", "/source/_doc/2", BAD);
      node.call("PUT", "/source/_doc/3?refresh", "{\"name\":5}");
      JsonNode done =
          node.ok(
              "POST",
              "/_reindex?refresh",
              "{\"source\":{\"index\":\"source\"},"
                  + "\"dest\":{\"index\":\"app-r\",\"op_type\":\"create\"}}");
      assertThat(done.path("failures")).as(done.toString()).isEmpty();
      assertThat(done.path("created").asInt()).isEqualTo(3);
      assertThat(count(node, "app-r")).isEqualTo(1);
      assertThat(count(node, "app-r::failures")).isEqualTo(2);
    }
  }

  @Test
  void documentsThatNoMappingWouldTakeAreKeptToo(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      for (String odd :
          new String[] {"{\"\":1}", "{\"a..b\":1}", "{\"_id\":\"x\"}", "{\"n\":{\"x\":[[{}]]}}"}) {
        HttpResponse<String> answer = node.call("POST", "/app-a/_doc?pipeline=_none", odd);
        assertThat(answer.body()).as(odd).contains("\"failure_store\":\"used\"");
      }
    }
  }

  @Test
  void measurementsOfNoIndexAndWithoutDimensions(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String template =
          """
          {"index_patterns":["m-*"],"data_stream":{},"template":{
            "settings":{"index":{"mode":"time_series"}},
            "data_stream_options":{"failure_store":{"enabled":%s}},
            "mappings":{"properties":{"d":{"type":"keyword","time_series_dimension":true}}}}}\
          """;
      node.ok("PUT", "/_index_template/m", template.formatted(true));
      String now = Instant.now().toString();
      String good = "{\"@timestamp\":\"" + now + "\",\"d\":\"a\"}";
      String old = "{\"@timestamp\":\"2020-01-01\",\"d\":\"a\"}";
      String bare = "{\"@timestamp\":\"" + now + "\"}";
      String timeless = "{\"d\":\"a\"}";
      JsonNode items =
          node.ok(
                  "POST",
                  "/m-a/_bulk?refresh",
                  "{\"create\":{}}\n%s\n{\"create\":{}}\n%s\n{\"create\":{}}\n%s\n{\"create\":{}}\n%s\n{\"create\":{\"_id\":\"x\"}}\n%s\n"
                      .formatted(good, old, bare, timeless, good))
              .path("items");
      assertThat(items.findValuesAsText("status"))
          .isEqualTo(List.of("201", "201", "201", "201", "400"));
      for (int i = 1; i < 4; i++) {
        assertThat(items.at("/" + i + "/create/failure_store").asText()).isEqualTo("used");
        assertThat(items.at("/" + i + "/create/_index").asText()).startsWith(".fs-m-a-");
      }
      assertThat(node.ok("POST", "/m-a/_doc?refresh", old).path("failure_store").asText())
          .isEqualTo("used");
      assertThat(count(node, "m-a")).isEqualTo(1);
      JsonNode kept = failures(node, "m-a");
      assertThat(kept.path("hits")).hasSize(4);
      assertThat(kept.at("/hits/0/_source/error/message").asText())
          .contains("is outside of ranges of currently writable indices");
      assertThat(kept.at("/hits/0/_source/document/source/d").asText()).isEqualTo("a");
      // A reindex keeps them too.
      node.ok("PUT", "/from/_doc/1?refresh", old);
      JsonNode copied =
          node.ok(
              "POST",
              "/_reindex?refresh",
              "{\"source\":{\"index\":\"from\"},\"dest\":{\"index\":\"m-a\",\"op_type\":\"create\"}}");
      assertThat(copied.path("failures")).isEmpty();
      assertThat(count(node, "m-a::failures")).isEqualTo(5);
      // Without a store the sender hears of it.
      node.ok("PUT", "/_data_stream/m-a/_options", "{\"failure_store\":{\"enabled\":false}}");
      HttpResponse<String> answer = node.call("POST", "/m-a/_doc", old);
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("\"failure_store\":\"not_enabled\"");
    }
  }
}
