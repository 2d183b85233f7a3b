package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataStreamRequestsTest {
  private static final String TEMPLATE =
      """
      {"index_patterns": ["app-*"], "data_stream": {},
       "template": {"mappings": {"properties": {"n": {"type": "integer"}}},
                    "aliases": {"all-{index}": {"filter": {"range": {"n": {"gte": 2}}}}}}}
      """;

  private static NodeFixture started(Path folder) throws Exception {
    NodeFixture node = new NodeFixture(folder);
    node.ok("PUT", "/_index_template/app", TEMPLATE);
    return node;
  }

  private static String document(int n) {
    return "{\"@timestamp\":\"2026-01-0" + n + "\",\"n\":" + n + "}";
  }

  private static int count(NodeFixture node, String names) throws Exception {
    return node.ok("GET", "/" + names + "/_count", "").path("count").asInt();
  }

  private static String written(NodeFixture node, String stream) throws Exception {
    JsonNode shown = node.ok("GET", "/_data_stream/" + stream, "").at("/data_streams/0");
    return shown.path("indices").path(shown.path("indices").size() - 1).path("index_name").asText();
  }

  @Test
  void aWriteToANameOfTheTemplateMakesAStream(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      String first = node.ok("POST", "/app-a/_doc?refresh", document(1)).path("_index").asText();

      assertThat(first).matches("\\.ds-app-a-\\d{4}\\.\\d\\d\\.\\d\\d-000001");
      JsonNode stream = node.ok("GET", "/_data_stream/app-a", "").at("/data_streams/0");
      assertThat(stream.path("generation").asInt()).isEqualTo(1);
      assertThat(stream.path("template").asText()).isEqualTo("app");
      assertThat(stream.path("timestamp_field").path("name").asText()).isEqualTo("@timestamp");
      assertThat(node.ok("GET", "/" + first, "").at("/" + first + "/data_stream").asText())
          .isEqualTo("app-a");
      assertThat(node.call("PUT", "/app-b", "{}").statusCode()).isEqualTo(400);
    }
  }

  @Test
  void everyRolloverAddsAnIndexAndSearchesSeeAll(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/_data_stream/app-a", "");
      node.ok("POST", "/app-a/_doc?refresh", document(1));
      JsonNode rolled = node.ok("POST", "/app-a/_rollover", "");
      assertThat(rolled.path("new_index").asText()).endsWith("-000002");
      node.ok("POST", "/app-a/_doc?refresh", document(2));
      JsonNode unmet = node.ok("POST", "/app-a/_rollover", "{\"conditions\":{\"max_docs\":5}}");
      assertThat(unmet.path("rolled_over").asBoolean()).isFalse();
      assertThat(node.ok("POST", "/app-a/_rollover?lazy", "").path("rolled_over").asBoolean())
          .isFalse();
      assertThat(node.ok("POST", "/app-a/_doc?refresh", document(3)).path("_index").asText())
          .endsWith("-000003");

      for (String names : new String[] {"app-a", "app-*", "*", "_all", "app-a::data"}) {
        assertThat(count(node, names)).as(names).isEqualTo(3);
      }
      assertThat(count(node, "*,-app-a")).isZero();
      assertThat(count(node, "all-app-a")).as("filtered alias").isEqualTo(2);
      JsonNode statistics = node.ok("GET", "/_data_stream/app-a/_stats", "");
      assertThat(statistics.path("backing_indices").asInt()).isEqualTo(3);
      assertThat(statistics.at("/data_streams/0/maximum_timestamp").asLong())
          .isEqualTo(1_767_398_400_000L);
      assertThat(
              node.ok("GET", "/_data_stream/app-a?verbose", "")
                  .at("/data_streams/0/maximum_timestamp")
                  .asLong())
          .isEqualTo(1_767_398_400_000L);
    }
  }

  @Test
  void theNewestTimeIsInMillisecondsWhateverAnIndexCountsIn(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/_data_stream/app-a", "");
      node.ok("POST", "/app-a/_doc?refresh", document(1));
      JsonNode template =
          node.ok("GET", "/_index_template/app", "").at("/index_templates/0/index_template");
      ObjectNode nanoseconds = template.deepCopy();
      nanoseconds.remove(List.of("created_date_millis", "modified_date_millis"));
      nanoseconds.withObject("/template/mappings/properties/@timestamp").put("type", "date_nanos");
      node.ok("PUT", "/_index_template/app", nanoseconds.toString());
      node.ok("POST", "/app-a/_rollover", "");
      node.ok("POST", "/app-a/_doc?refresh", "{\"@timestamp\":\"2026-01-05T00:00:00.123456789Z\"}");
      for (String path : new String[] {"/app-a/_stats", "/app-a?verbose"}) {
        assertThat(
                node.ok("GET", "/_data_stream" + path, "")
                    .at("/data_streams/0/maximum_timestamp")
                    .asLong())
            .as(path)
            .isEqualTo(1_767_571_200_123L);
      }
    }
  }

  @Test
  void onlyNewDocumentsWithOneTimeAreTaken(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/_data_stream/app-a", "");
      String index = written(node, "app-a");

      refused(node, "POST", "/app-a/_doc", "{\"n\":1}", "@timestamp] is missing");
      refused(node, "POST", "/app-a/_doc", "{\"@timestamp\":null}", "@timestamp] is missing");
      refused(
          node,
          "POST",
          "/app-a/_doc",
          "{\"@timestamp\":[\"2026-01-01\",\"2026-01-02\"]}",
          "encountered multiple values");
      refused(
          node, "PUT", "/app-a/_doc/1", document(1), "only write ops with an op_type of create");
      refused(node, "DELETE", "/app-a/_doc/1", "", "only write ops with an op_type of create");
      refused(node, "PUT", "/app-a/_create/1?routing=x", document(1), "allow_custom_routing");
      refused(
          node, "PUT", "/" + index + "/_create/1", document(1), "target corresponding data stream");
      refused(
          node, "PUT", "/" + index + "/_doc/1", document(1), "no if_primary_term and if_seq_no");
      node.ok("PUT", "/app-a/_create/1?refresh", document(1));
      node.ok("PUT", "/" + index + "/_doc/1?if_seq_no=0&if_primary_term=1&refresh", document(2));
      node.ok("DELETE", "/" + index + "/_doc/1?refresh", "");
      assertThat(count(node, "app-a")).isZero();
    }
  }

  private static void refused(NodeFixture node, String verb, String path, String body, String why)
      throws Exception {
    var answer = node.call(verb, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains(why);
  }

  @Test
  void itemsOfABulkFailAlone(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      String body =
          "{\"create\":{}}\n"
              + document(1)
              + "\n{\"index\":{}}\n"
              + document(2)
              + "\n{\"create\":{}}\n{\"n\":3}\n";
      JsonNode items = node.ok("POST", "/app-a/_bulk?refresh", body).path("items");

      assertThat(items.at("/0/create/status").asInt()).isEqualTo(201);
      assertThat(items.at("/1/index/status").asInt()).isEqualTo(400);
      assertThat(items.at("/2/create/status").asInt()).isEqualTo(400);
      assertThat(count(node, "app-a")).isEqualTo(1);
    }
  }

  @Test
  void indicesOfAStreamGoWithItAndTheOneWrittenToOnlyThen(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("POST", "/app-a/_doc?refresh", document(1));
      String first = written(node, "app-a");
      node.ok("POST", "/app-a/_rollover", "");
      String second = written(node, "app-a");

      refused(node, "DELETE", "/" + second, "", "is the write index for data stream [app-a]");
      assertThat(node.call("DELETE", "/app-a", "").statusCode()).isEqualTo(404);
      node.ok("DELETE", "/" + first, "");
      assertThat(count(node, "app-a")).isZero();
      node.ok("DELETE", "/_data_stream/app-*", "");
      assertThat(node.call("GET", "/" + second, "").statusCode()).isEqualTo(404);
      assertThat(node.call("GET", "/_data_stream/app-a", "").statusCode()).isEqualTo(404);
      assertThat(node.ok("GET", "/_data_stream", "").path("data_streams")).isEmpty();
    }
  }

  @Test
  void streamsOutliveTheirNode(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("POST", "/app-a/_doc?refresh", document(1));
    }
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(count(node, "app-a")).isEqualTo(1);
      node.ok("POST", "/app-a/_doc?refresh", document(2));
      assertThat(count(node, "app-a")).isEqualTo(2);
    }
  }

  @Test
  void namesInUseAndNamesOfNoTemplateAreRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/_data_stream/app-a", "");
      refused(node, "PUT", "/_data_stream/app-a", "", "data_stream [app-a] already exists");
      refused(node, "PUT", "/_data_stream/other", "", "no matching index template found");
      refused(node, "PUT", "/_data_stream/App-b", "", "must be lowercase");
      refused(node, "PUT", "/_data_stream/.ds-app", "", "must not start with '.ds-'");
      node.ok("PUT", "/plain", "{}");
      refused(
          node, "PUT", "/plain/_alias/app-a", "{}", "an index or data stream exists with the same");
      node.ok("PUT", "/plain/_alias/app-c", "{}");
      refused(node, "PUT", "/_data_stream/app-c", "", "conflicts with alias");
      JsonNode items =
          node.ok(
                  "POST",
                  "/_bulk?require_data_stream",
                  "{\"create\":{\"_index\":\"x\"}}\n{}\n{\"create\":{\"_index\":\"plain\"}}\n{}\n")
              .path("items");
      assertThat(items.at("/0/create/error/reason").asText()).contains("requires a data stream");
      assertThat(items.at("/1/create/error/reason").asText()).contains("is not a data stream");
    }
  }

  @Test
  void anAliasBecomesAStreamAndTakesOtherIndicesIn(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      for (String name : new String[] {"old-1", "old-2"}) {
        node.ok(
            "PUT",
            "/" + name,
            "{\"mappings\":{\"properties\":{\"@timestamp\":{\"type\":\"date\"}}}}");
        node.ok("PUT", "/" + name + "/_doc/1?refresh", document(1));
      }
      node.ok("PUT", "/old-1/_alias/app-m", "{}");
      node.ok("POST", "/_data_stream/_migrate/app-m", "");
      String add =
          "{\"actions\":[{\"add_backing_index\":{\"data_stream\":\"app-m\",\"index\":\"old-2\"}}]}";
      node.ok("POST", "/_data_stream/_modify", add);

      assertThat(count(node, "app-m")).isEqualTo(2);
      assertThat(written(node, "app-m")).isEqualTo("old-1");
      refused(
          node,
          "POST",
          "/_data_stream/_modify",
          add.replace("add_", "remove_").replace("old-2", "old-1"),
          "because it is the write index");
      node.ok("POST", "/_data_stream/_modify", add.replace("add_", "remove_"));
      assertThat(count(node, "app-m")).isEqualTo(1);
      assertThat(count(node, "old-2")).isEqualTo(1);
    }
  }

  @Test
  void settingsAndMappingsOfAStreamAreThoseOfItsNextIndices(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/_data_stream/app-a", "");
      node.ok("PUT", "/_data_stream/app-a/_settings", "{\"index\":{\"number_of_shards\":2}}");
      node.ok(
          "PUT",
          "/_data_stream/app-a/_mappings",
          "{\"properties\":{\"user\":{\"type\":\"keyword\"}}}");
      refused(
          node,
          "PUT",
          "/_data_stream/app-a/_mappings",
          "{\"properties\":{\"user\":{\"type\":\"nothing\"}}}",
          "mapper type [nothing]");
      node.ok("POST", "/app-a/_rollover", "");
      String index = written(node, "app-a");

      JsonNode made = node.ok("GET", "/" + index, "").path(index);
      assertThat(made.at("/settings/index/number_of_shards").asText()).isEqualTo("2");
      assertThat(made.at("/mappings/properties/user/type").asText()).isEqualTo("keyword");
      assertThat(made.at("/mappings/properties/n/type").asText()).isEqualTo("integer");
    }
  }

  /// As Elasticsearch does: whatever an index can get without being made anew.
  @Test
  void someSettingsOfAStreamAreThoseOfItsIndicesAtOnce(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/_data_stream/app-a", "");
      String first = written(node, "app-a");
      node.ok("POST", "/app-a/_rollover", "");
      String second = written(node, "app-a");
      String path = "/_data_stream/app-a/_settings";
      JsonNode applied =
          node.ok(
                  "PUT",
                  path,
                  "{\"index\":{\"refresh_interval\":\"7s\",\"lifecycle\":{\"name\":\"p\"},"
                      + "\"number_of_replicas\":0,\"number_of_shards\":2}}")
              .at("/data_streams/0/index_settings_results");

      assertThat(applied.path("applied_to_data_stream_only").toString())
          .isEqualTo("[\"index.number_of_shards\"]");
      assertThat(applied.path("applied_to_data_stream_and_write_indices").toString())
          .isEqualTo("[\"index.number_of_replicas\"]");
      assertThat(applied.path("applied_to_data_stream_and_backing_indices").toString())
          .isEqualTo("[\"index.lifecycle.name\",\"index.refresh_interval\"]");
      assertThat(settings(node, first)).isEqualTo("7s p 1 1");
      assertThat(settings(node, second)).isEqualTo("7s p 0 1");
      node.ok("PUT", path, "{\"index.refresh_interval\":null,\"index.number_of_replicas\":null}");
      assertThat(settings(node, second)).isEqualTo("null p 1 1");

      node.ok("PUT", "/" + first + "/_settings", "{\"index.blocks.metadata\":true}");
      assertThat(node.call("PUT", path, "{\"index.refresh_interval\":\"9s\"}").statusCode())
          .isEqualTo(403);
      assertThat(settings(node, second)).isEqualTo("null p 1 1");
    }
  }

  /// Else the stream would never roll over again, or take no documents.
  @Test
  void whatItsNextIndexCouldNotBeIsRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/_data_stream/app-a", "");
      String path = "/_data_stream/app-a/";
      refused(node, "PUT", path + "_settings", "{\"index.uuid\":\"x\"}", "unknown setting");
      refused(node, "PUT", path + "_settings", "{\"index.sort.field\":\"x\"}", "sort field");
      refused(node, "PUT", path + "_mappings", "{\"properties\":null}", "properties");
      refused(node, "PUT", path + "_mappings", "{\"_data_stream_timestamp\":5}", "timestamp");
      String cannot = "cannot close the following data stream write indices [.ds-app-a-";
      refused(node, "POST", "/" + written(node, "app-a") + "/_close", "", cannot);
      refused(node, "POST", "/app-a/_close", "", cannot);

      node.ok("POST", "/app-a/_rollover", "");
      node.ok("POST", "/app-a/_doc?refresh", document(1));
      assertThat(count(node, "app-a")).isEqualTo(1);
    }
  }

  private static String settings(NodeFixture node, String index) throws Exception {
    JsonNode all =
        node.ok("GET", "/" + index + "/_settings", "").at("/" + index + "/settings/index");
    return all.path("refresh_interval").asText("null")
        + " "
        + all.path("lifecycle").path("name").asText("null")
        + " "
        + all.path("number_of_replicas").asText()
        + " "
        + all.path("number_of_shards").asText();
  }

  /// Its next index could not be called after it.
  @Test
  void anAliasWhoseNameNoStreamCanHaveStaysOne(@TempDir Path folder) throws Exception {
    try (NodeFixture node = started(folder)) {
      node.ok("PUT", "/_index_template/l", "{\"index_patterns\":[\"Log*\"],\"data_stream\":{}}");
      node.ok(
          "PUT", "/old-1", "{\"mappings\":{\"properties\":{\"@timestamp\":{\"type\":\"date\"}}}}");
      node.ok("PUT", "/old-1/_alias/Logs", "{}");

      refused(node, "POST", "/_data_stream/_migrate/Logs", "", "must be lowercase");
      assertThat(node.ok("GET", "/_alias/Logs", "").has("old-1")).isTrue();
    }
  }

  @Test
  void eachModificationIsOneOperation(@TempDir Path folder) throws Exception {
    String action = "{\"data_stream\":\"app-a\",\"index\":\"none\"}";
    String two = "{\"add_backing_index\":%1$s,\"remove_backing_index\":%1$s}".formatted(action);
    try (NodeFixture node = started(folder)) {
      for (String entry : new String[] {"\"x\"", "null", "{}", two}) {
        JsonNode answer =
            node.refused(
                400,
                "POST",
                "/_data_stream/_modify",
                "{\"actions\":[" + entry + ",{\"add_backing_index\":" + action + "}]}");

        assertThat(answer.toString()).as(entry).doesNotContain("[app-a] not found");
      }
    }
  }

  /// They would keep all other changes of the cluster state waiting.
  @Test
  void modificationsAreAsManyAsSomeSecondsTake(@TempDir Path folder) throws Exception {
    String action = "{\"add_backing_index\":{\"data_stream\":\"app-none\",\"index\":\"none\"}}";
    String few = "{\"actions\":[" + (action + ",").repeat(10) + action + "]}";
    String many = "{\"actions\":[" + (action + ",").repeat(10_000) + action + "]}";
    try (NodeFixture node = started(folder)) {
      assertThat(node.refused(400, "POST", "/_data_stream/_modify", few).toString())
          .contains("data stream [app-none] not found");
      assertThat(node.refused(400, "POST", "/_data_stream/_modify", many).toString())
          .contains("[10001] actions are too much for one request");
    }
  }
}
