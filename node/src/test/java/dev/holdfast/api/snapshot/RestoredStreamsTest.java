package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A data stream comes back with what there is of it, or not at all; nothing is restored under a
/// name that means something else.
final class RestoredStreamsTest {
  private static final String AWAITED = "?wait_for_completion=true";

  @TempDir Path folder;

  private static List<String> streams(NodeFixture node) throws Exception {
    return node.json("/_data_stream").path("data_streams").findValuesAsText("name").stream()
        .filter(name -> !name.equals("@timestamp"))
        .toList();
  }

  private static void begin(NodeFixture node) throws Exception {
    node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
    node.ok(
        "PUT",
        "/_index_template/t",
        "{\"index_patterns\":[\"seen-*\"],\"data_stream\":{},\"template\":{"
            + "\"data_stream_options\":{\"failure_store\":{\"enabled\":true}},"
            + "\"aliases\":{\"eyes\":{}},"
            + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}}");
    for (String n : new String[] {"1", "2", "\"bad\""}) {
      node.ok(
          "POST",
          "/seen-a/_doc?refresh=true",
          "{\"@timestamp\":\"2026-01-01T00:00:00Z\",\"n\":" + n + "}");
      if (n.equals("1")) {
        node.ok("POST", "/seen-a/_rollover", "");
      }
    }
  }

  private static String oldest(NodeFixture node) throws Exception {
    return node.json("/_data_stream/seen-a")
        .path("data_streams")
        .path(0)
        .path("indices")
        .path(0)
        .path("index_name")
        .asText();
  }

  private static List<String> restored(NodeFixture node, String snapshot, String body)
      throws Exception {
    return texts(
        node.ok("POST", "/_snapshot/r/" + snapshot + "/_restore" + AWAITED, body)
            .path("snapshot")
            .path("indices"));
  }

  private static List<String> texts(JsonNode array) {
    return java.util.stream.StreamSupport.stream(array.spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  @Test
  void oneOfItsIndicesIsNoStream() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      begin(node);
      String oldest = oldest(node);
      JsonNode made =
          node.ok("PUT", "/_snapshot/r/one" + AWAITED, "{\"indices\":\"" + oldest + "\"}")
              .path("snapshot");
      assertThat(made.path("data_streams")).isEmpty();
      node.ok("DELETE", "/_data_stream/seen-a", "");

      assertThat(restored(node, "one", "")).containsExactly(oldest);
      assertThat(streams(node)).isEmpty();
      assertThat(node.json("/" + oldest + "/_count").path("count").asInt()).isEqualTo(1);
    }
  }

  @Test
  void whatIsLeftOutStaysAway() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      begin(node);
      String oldest = oldest(node);
      node.ok("PUT", "/_snapshot/r/all" + AWAITED, "{\"indices\":\"seen-a\"}");
      node.ok("DELETE", "/_data_stream/seen-a", "");

      assertThat(restored(node, "all", "{\"indices\":[\"seen-*\",\"-seen-a\"]}")).isEmpty();
      assertThat(streams(node)).isEmpty();

      assertThat(restored(node, "all", "{\"indices\":[\"seen-*\",\"-" + oldest + "\"]}"))
          .hasSize(1);
      assertThat(streams(node)).containsExactly("seen-a");
      assertThat(node.json("/seen-a/_count").path("count").asInt()).isEqualTo(1);
      node.ok(
          "POST", "/seen-a/_doc?refresh=true", "{\"@timestamp\":\"2026-01-01T00:00:00Z\",\"n\":3}");
      assertThat(node.json("/eyes/_count").path("count").asInt()).isEqualTo(2);
      assertThat(node.json("/_data_stream/seen-a").path("data_streams").path(0).path("status"))
          .hasToString("\"GREEN\"");
      // The snapshot has no documents that failed: the stream begins without any.
      assertThat(
              node.json("/_data_stream/seen-a")
                  .path("data_streams")
                  .path(0)
                  .path("failure_store")
                  .path("indices"))
          .isEmpty();
    }
  }

  @Test
  void itsAliasesAreRenamedOrLeftOut() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      begin(node);
      node.ok("PUT", "/_snapshot/r/all" + AWAITED, "{\"indices\":\"seen-a\"}");
      String renamed = "\"rename_pattern\":\"seen-a\",\"rename_replacement\":\"";
      restored(
          node,
          "all",
          "{"
              + renamed
              + "seen-b\",\"rename_alias_pattern\":\"e\","
              + "\"rename_alias_replacement\":\"o\"}");
      restored(node, "all", "{" + renamed + "seen-c\",\"include_aliases\":false}");

      String more = "{\"rename_pattern\":\"(.+)\",\"rename_replacement\":\"more-$1\"}";
      assertThat(restored(node, "all", more))
          .hasSize(2)
          .allMatch(index -> index.startsWith(".ds-more-seen-a-"));
      assertThat(node.json("/more-seen-a/_count").path("count").asInt()).isEqualTo(2);
      assertThat(node.json("/_alias/oyos").toString()).contains("seen-b").doesNotContain("seen-c");
      assertThat(node.json("/_alias/eyes").toString())
          .contains("seen-a")
          .doesNotContain("seen-b", "seen-c");
    }
  }

  @Test
  void itsNameMustBeFreeAndOneThatAStreamCanHave() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      begin(node);
      node.ok("PUT", "/_snapshot/r/all" + AWAITED, "{\"indices\":\"seen-a\"}");
      node.ok("DELETE", "/_data_stream/seen-a", "");
      node.ok("PUT", "/plain", "{\"aliases\":{\"other\":{}}}");
      for (String name : new String[] {"BIG", "plain", "other", "_x", ""}) {
        node.refused(
            400,
            "POST",
            "/_snapshot/r/all/_restore" + AWAITED,
            "{\"rename_pattern\":\"^seen-a$\",\"rename_replacement\":\"" + name + "\"}");
      }
      assertThat(streams(node)).isEmpty();
      assertThat(node.get("/_cat/indices?h=index&expand_wildcards=all").body().strip())
          .isEqualTo("plain");
    }
  }

  @Test
  void anAliasHasOneWriteIndexAndIsNoStream() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      begin(node);
      node.ok("PUT", "/books", "{\"aliases\":{\"shelf\":{\"is_write_index\":true}}}");
      node.ok("PUT", "/_snapshot/r/books" + AWAITED, "{\"indices\":\"books\"}");
      node.ok("DELETE", "/books", "");
      String other = "{\"aliases\":{\"shelf\":{\"is_write_index\":true}}}";
      node.ok("PUT", "/other", other);
      node.refused(400, "PUT", "/third", other);
      node.refused(400, "POST", "/_snapshot/r/books/_restore" + AWAITED, "");
      node.refused(
          400,
          "POST",
          "/_snapshot/r/books/_restore" + AWAITED,
          "{\"rename_alias_pattern\":\"shelf\",\"rename_alias_replacement\":\"seen-a\"}");
      assertThat(node.get("/_cat/indices/books,third?h=index").statusCode()).isEqualTo(404);

      restored(node, "books", "{\"include_aliases\":false}");
      assertThat(node.json("/_alias/shelf")).hasSize(1);
    }
  }

  @Test
  void namesMayHaveDatesAndPoliciesComeBack() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
      node.fill("books", 2);
      node.ok(
          "PUT",
          "/_ilm/policy/mine",
          "{\"policy\":{\"phases\":{\"delete\":{\"min_age\":\"9d\",\"actions\":{\"delete\":{}}}}}}");
      node.ok("PUT", "/_template/old", "{\"index_patterns\":[\"old-*\"],\"order\":1}");
      String name =
          node.ok("PUT", "/_snapshot/r/%3Cnightly-%7Bnow%2Fy%7Byyyy%7D%7D%3E" + AWAITED, "")
              .path("snapshot")
              .path("snapshot")
              .asText();
      assertThat(name).matches("nightly-2[0-9]{3}");
      node.ok(
          "PUT",
          "/_snapshot/r/" + name + "/_clone/%3Ccopy-%7Bnow%2Fy%7Byyyy%7D%7D%3E",
          "{\"indices\":\"*\"}");
      assertThat(node.json("/_snapshot/r/copy-" + name.substring(8)).path("total").asInt())
          .isEqualTo(1);
      node.refused(400, "PUT", "/_snapshot/r/" + name + "/_clone/x", "{\"indices\":\"no*\"}");
      node.refused(404, "GET", "/_snapshot/r/x", "");

      node.ok("DELETE", "/_ilm/policy/mine", "");
      node.ok("DELETE", "/_template/old", "");
      node.ok("PUT", "/_template/later", "{\"index_patterns\":[\"later-*\"]}");
      restored(node, name, "{\"indices\":\"no*\",\"include_global_state\":true}");
      assertThat(node.json("/_ilm/policy/mine").path("mine").has("policy")).isTrue();
      assertThat(node.json("/_template/old,later").size())
          .as("legacy ones are merged")
          .isEqualTo(2);
    }
  }

  /// As in Elasticsearch, templates of the snapshot stand in the place of all that there are.
  @Test
  void streamsThatTheGlobalStateLeavesWithoutATemplateAreNamed() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
      node.ok("PUT", "/_snapshot/r/before" + AWAITED, "{}");
      begin(node);
      node.ok("PUT", "/_snapshot/r/after" + AWAITED, "{}");
      String body = "{\"indices\":\"no*\",\"include_global_state\":true}";

      var told = node.call("POST", "/_snapshot/r/before/_restore" + AWAITED, body);
      assertThat(told.statusCode()).as(told.body()).isEqualTo(200);
      assertThat(told.headers().firstValue("Warning").orElse("")).contains("[seen-a]");
      node.refused(400, "POST", "/seen-a/_rollover", "");

      var mended = node.call("POST", "/_snapshot/r/after/_restore" + AWAITED, body);
      assertThat(mended.statusCode()).as(mended.body()).isEqualTo(200);
      assertThat(mended.headers().firstValue("Warning")).isEmpty();
      node.ok("POST", "/seen-a/_rollover", "");
    }
  }
}
