package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Lucene holds all of one document before it can write any of it down.
final class LargeDocumentMemoryTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static String document(String kind) {
    return switch (kind) {
      case "words" ->
          "{\"t\":\""
              + IntStream.range(0, 400_000).mapToObj(i -> "w" + i).collect(Collectors.joining(" "))
              + "\"}";
      case "numbers" -> "{\"n\":[" + "1,".repeat(500_000) + "1]}";
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /// Which has no more different words, or values, than a small one.
  @Test
  void aLongTextOfFewWordsIsTaken() throws Exception {
    node.call("DELETE", "/large", "");
    node.ok("PUT", "/large", "{\"mappings\":{\"properties\":{\"t\":{\"type\":\"text\"}}}}");
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"24mb\"}}");
    String prose = "{\"t\":\"" + "red, green, blue. ".repeat(250_000) + "\"}";

    HttpResponse<String> taken = node.call("PUT", "/large/_doc/1", prose);
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");

    assertThat(taken.statusCode()).as(taken.body()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"words", "numbers"})
  void aDocumentThatMemoryHasNoRoomForIsRefusedAlone(String kind) throws Exception {
    node.call("DELETE", "/large", "");
    node.ok("PUT", "/large", "{\"mappings\":{\"properties\":{\"t\":{\"type\":\"text\"}}}}");
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"24mb\"}}");
    String large = document(kind);

    HttpResponse<String> refused =
        node.call(
            "POST",
            "/large/_bulk",
            "{\"index\":{\"_id\":\"1\"}}\n{\"t\":\"small\"}\n{\"index\":{\"_id\":\"2\"}}\n"
                + large
                + "\n{\"index\":{\"_id\":\"3\"}}\n{\"t\":\"small\"}\n");
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");
    HttpResponse<String> taken = node.call("PUT", "/large/_doc/2", large);

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(200);
    JsonNode items = Json.parse(refused.body()).path("items");
    assertThat(items.findValuesAsText("status")).containsExactly("201", "429", "201");
    assertThat(items.at("/1/index/error/type").asText()).isEqualTo("circuit_breaking_exception");
    assertThat(taken.statusCode()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(ints = {10_000, 100_000})
  void aTextOfWhichTheAnalyzerMakesTooMuchIsRefused(int characters) throws Exception {
    node.call("DELETE", "/grams", "");
    node.ok(
        "PUT",
        "/grams",
        """
        {"settings":{"index.max_ngram_diff":100000,"analysis":{"analyzer":{"a":{"tokenizer":"n"}},
          "tokenizer":{"n":{"type":"ngram","min_gram":1,"max_gram":20000}}}},
         "mappings":{"properties":{"t":{"type":"text","analyzer":"a"}}}}\
        """);
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"24mb\"}}");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < characters; i++) {
      text.append((char) ('a' + i * i % 23));
    }

    HttpResponse<String> refused = node.call("PUT", "/grams/_doc/1", "{\"t\":\"" + text + "\"}");
    HttpResponse<String> taken = node.call("PUT", "/grams/_doc/2", "{\"t\":\"short text\"}");
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");

    assertThat(refused.statusCode()).as(refused.body()).isBetween(400, 429);
    assertThat(refused.body()).contains("Data too large");
    assertThat(taken.statusCode()).isEqualTo(201);
  }

  /// There is memory for its words when it is scanned, not for those that Lucene holds beside them
  /// then, and none for scanning it again.
  @Test
  void aTextWhoseWordsAreAskedForAgainIsRefused() throws Exception {
    node.call("DELETE", "/grams", "");
    node.ok(
        "PUT",
        "/grams",
        """
        {"settings":{"index.max_ngram_diff":10,"analysis":{"analyzer":{"a":{"tokenizer":"n"}},
          "tokenizer":{"n":{"type":"ngram","min_gram":1,"max_gram":6}}}},
         "mappings":{"properties":{"t":{"type":"text","analyzer":"a"}}}}\
        """);
    String document = "{\"t\":\"" + "abcdefgh".repeat(5_000) + "\"}";
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"24mb\"}}");

    HttpResponse<String> refused = node.call("PUT", "/grams/_doc/1", document);
    HttpResponse<String> small = node.call("PUT", "/grams/_doc/2", "{\"t\":\"short text\"}");
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
    assertThat(small.statusCode()).isEqualTo(201);
    assertThat(node.call("PUT", "/grams/_doc/1", document).statusCode()).isEqualTo(201);
  }

  /// A rollover whose mapping held two megabytes of empty objects kept a node of 256 MB collecting
  /// for a minute.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST | /kept/_rollover | {"mappings":{"_meta":{"a":%s}}}
          POST | /_create_from/kept-1/kept-copy | {"mappings_override":{"_meta":{"a":%s}}}
          PUT | /_data_stream/kept-stream/_mappings | {"_meta":{"a":%s}}
          """)
  void whatBecomesPartOfTheClusterStateIsAskedForSeveralTimes(String verb, String path, String body)
      throws Exception {
    node.call("PUT", "/kept-1", "{\"aliases\":{\"kept\":{}}}");
    node.ok(
        "PUT",
        "/_index_template/kept",
        "{\"index_patterns\":[\"kept-stream\"],\"data_stream\":{}}");
    node.call("PUT", "/_data_stream/kept-stream", "");
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"24mb\"}}");

    HttpResponse<String> refused =
        node.call(verb, path, body.replace("%s", "[" + "{},".repeat(100_000) + "{}]"));
    HttpResponse<String> taken = node.call(verb, path, body.replace("%s", "[{}]"));
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("[request] Data too large");
    assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
  }

  /// 180 kB of empty objects, as a mapping of 60 indices, kept a node of 256 MB collecting for more
  /// than a minute.
  @ParameterizedTest
  @ValueSource(strings = {"/lot-*/_mapping", "/_data_stream/lots*/_mappings"})
  void aMappingIsAskedForOnceForEachOfThoseThatHaveIt(String path) throws Exception {
    node.ok("PUT", "/_index_template/lots", "{\"index_patterns\":[\"lots*\"],\"data_stream\":{}}");
    for (int i = 0; i < 4; i++) {
      node.call("PUT", "/lot-" + i, "");
      node.call("PUT", "/_data_stream/lots" + i, "");
    }
    String mapping = "{\"_meta\":{\"a\":[" + "{},".repeat(50_000) + "{}]}}";
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"36mb\"}}");

    HttpResponse<String> refused = node.call("PUT", path, mapping);
    HttpResponse<String> taken = node.call("PUT", path.replace('*', '1'), mapping);
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("[request] Data too large");
    assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
  }

  @Test
  void whatIsCopiedForOneNewIndexIsLetGoOfBeforeTheNext() throws Exception {
    String meta = "{\"_meta\":{\"a\":[" + "{},".repeat(20_000) + "{}]}}";
    node.ok(
        "PUT",
        "/_index_template/each",
        "{\"index_patterns\":[\"each-*\"],\"template\":{\"mappings\":" + meta + "}}");
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 6; i++) {
      bulk.append("{\"index\":{\"_index\":\"each-").append(i).append("\"}}\n{}\n");
    }
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"24mb\"}}");

    HttpResponse<String> written = node.call("POST", "/_bulk", bulk.toString());
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");

    assertThat(written.body()).contains("\"errors\":false");
    node.ok("DELETE", "/_index_template/each", "");
  }
}
