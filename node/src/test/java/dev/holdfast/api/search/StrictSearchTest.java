package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests about searches that Elasticsearch refuses, and pages and fields that it shows.
final class StrictSearchTest {
  private static NodeFixture books(Path folder) throws Exception {
    NodeFixture node = new NodeFixture(folder);
    node.ok("PUT", "/books", "{\"mappings\":{\"properties\":{\"tag\":{\"type\":\"keyword\"}}}}");
    node.ok(
        "POST",
        "/books/_bulk?refresh=true",
        """
        {"index":{"_id":"1"}}
        {"tag":"a"}
        {"index":{"_id":"2","routing":"r"}}
        {"tag":"b"}
        {"index":{"_id":"3"}}
        {"tag":"b"}
        {"index":{"_id":"4"}}
        {"tag":"c"}
        """);
    return node;
  }

  @Test
  void groupsGoOnAfterAValue(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      String sorted = "{\"collapse\":{\"field\":\"tag\"},\"sort\":[{\"tag\":\"%s\"}],%s}";
      JsonNode up =
          node.ok("POST", "/books/_search", sorted.formatted("asc", "\"search_after\":[\"a\"]"));
      JsonNode down =
          node.ok("POST", "/books/_search", sorted.formatted("desc", "\"search_after\":[\"b\"]"));

      assertThat(up.at("/hits/hits").findValuesAsText("tag"))
          .contains("b", "c")
          .doesNotContain("a");
      assertThat(up.at("/hits/hits")).hasSize(2);
      assertThat(down.at("/hits/hits")).hasSize(1);
      assertThat(down.at("/hits/hits/0/_id").asText()).isEqualTo("1");
    }
  }

  @Test
  void fieldsShowMetadataThatIsNamed(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      JsonNode found =
          node.ok(
              "POST",
              "/books/_search?q=_id:2",
              "{\"_source\":false,\"fields\":[\"_id\",\"_index\",\"_routing\",\"_ignored\"]}");

      assertThat(found.at("/hits/hits/0/fields"))
          .hasToString("{\"_id\":[\"2\"],\"_index\":[\"books\"]}");
      assertThat(
              node.refused(400, "POST", "/books/_search", "{\"fields\":[\"_seq_no\"]}")
                  .at("/error/root_cause/0/reason")
                  .asText())
          .contains("[_seq_no]");
    }
  }

  @Test
  void refusesWhatCannotBeMeant(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      refused(node, "POST", "/books/_search", "{\"min_score\":\"x\"}", "For input string");
      refused(node, "POST", "/books/_search", "{\"track_total_hits\":\"x\"}", "For input string");
      refused(node, "POST", "/books/_search?scroll=1m", "{\"track_total_hits\":5}", "scroll");
      refused(node, "GET", "/books/_count?terminate_after=-1", "", "terminateAfter must be > 0");
      String unknown = "{\"query\":{\"nope\":{}}}";
      refused(node, "POST", "/books/_search?q=tag:a", unknown, "unknown query [nope]");
      String lookup =
          "{\"query\":{\"terms\":{\"tag\":{\"index\":\"books\",\"id\":\"1\",\"path\":\"tag\"}}}}";
      assertThat(node.ok("POST", "/books/_search?q=tag:b", lookup).at("/hits/total/value").asInt())
          .isEqualTo(2);
      String rescorer =
          "{\"retriever\":{\"rescorer\":{\"retriever\":{\"standard\":{}},\"rescore\":[]}}}";
      refused(node, "POST", "/books/_search?scroll=1m", rescorer, "[rescorer] and [scroll]");
      refused(node, "POST", "/books/_validate/query", "{}", "query cannot be null");
      String query = "{\"query\":{\"term\":{\"tag\":\"b\"}}}";
      refused(node, "POST", "/books/_validate/query?q=tag:a", query, "unrecognized parameter: [q]");
      refused(node, "GET", "/books/_validate/query?df=tag", "", "unrecognized parameter: [df]");
      refused(
          node, "POST", "/books/_count?q=a&df=tag", query, "unrecognized parameters: [df], [q]");
      refused(node, "POST", "/books/_explain/3?q=a&df=tag", query, "unrecognized parameter: [df]");
      assertThat(node.ok("POST", "/books/_explain/3?q=tag:a", query).path("matched").asBoolean())
          .isTrue();
      assertThat(node.call("POST", "/books/_explain/3?q=tag:a", query).headers().map())
          .as("what has no effect is said")
          .containsKey("warning");
      assertThat(node.call("POST", "/books/_explain/3", query).headers().map())
          .doesNotContainKey("warning");
      refused(node, "POST", "/books/_msearch", "{\"x\":1}\n{}\n", "key [x] is not supported");
      String elsewhere = "{\"project_routing\":\"a\"}\n{}\n";
      refused(node, "POST", "/books/_msearch", elsewhere, "key [project_routing] is not");
      refused(node, "POST", "/books/_msearch?search_type=x", "{}\n{}\n", "No search type for [x]");
      refused(node, "POST", "/books/_msearch?max_concurrent_searches=0", "{}\n{}\n", "positive");
      refused(
          node,
          "POST",
          "/books/_search",
          """
          {"aggs":{"t":{"terms":{"field":"tag"},"aggs":{
            "s":{"cumulative_sum":{"buckets_path":"_count"}}}}}}
          """,
          "must have a histogram, date_histogram or auto_date_histogram as parent");
      refused(
          node,
          "POST",
          "/books/_termvectors",
          "{\"doc\":{},\"filter\":{\"x\":1}}",
          "the field [x] is not valid");
      refused(
          node,
          "GET",
          "/_cluster/allocation/explain",
          "{\"index\":\"books\"}",
          "shard must be specified;2: primary must be specified;");
      refused(node, "PUT", "/books/_block/read_only_allow_delete", "", "for internal use only");
      assertThat(
              node.ok("GET", "/books/_validate/query?all_shards=true", "")
                  .at("/explanations/0/shard")
                  .asInt(-1))
          .isZero();
    }
  }

  @Test
  void headersOfSearchesSayWhatWildcardsMatch(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      node.ok("PUT", "/books-hidden", "{\"settings\":{\"hidden\":true}}");

      JsonNode both =
          node.ok(
              "POST",
              "/_msearch",
              "{\"index\":\"books*\",\"expand_wildcards\":\"all\"}\n{}\n"
                  + "{\"index\":\"books*\",\"routing\":[\"r\",\"s\"]}\n{}\n");

      assertThat(both.at("/responses/0/_shards/total").asInt()).isEqualTo(2);
      assertThat(both.at("/responses/1/_shards/total").asInt()).isEqualTo(1);
      for (String named :
          List.of(
              "{\"wildcard\":{\"_index\":\"b?oks*\"}}",
              "{\"wildcard\":{\"_index\":{\"value\":\"BOOK*\",\"case_insensitive\":true}}}",
              "{\"prefix\":{\"_index\":\"bo\"}}")) {
        String query = "{\"query\":" + named + "}";
        assertThat(node.ok("POST", "/books/_count", query).path("count").asInt()).isEqualTo(4);
        String other = query.replace("b?oks", "x").replace("BOOK", "x").replace("bo", "bop");
        assertThat(node.ok("POST", "/books/_count", other).path("count").asInt()).isZero();
      }
      JsonNode nowhere = node.json("/books/_search?routing=");
      assertThat(nowhere.at("/_shards/total").asInt(-1)).isZero();
      String header = "{\"index\":\"books\",\"routing\":%s}\n{}\n";
      String lines = header.formatted("\"\"") + header.formatted("[]") + header.formatted("\",\"");
      assertThat(node.ok("POST", "/_msearch", lines).findValuesAsText("successful"))
          .containsExactly("0", "1", "0");
      String all = "{\"query\":{\"match_all\":{}}}";
      JsonNode left = node.ok("POST", "/books/_delete_by_query?routing=", all);
      assertThat(left.path("deleted").asInt(-1)).isZero();
      assertThat(node.json("/books/_termvectors/none").at("/_version").asInt(-1)).isZero();
      assertThat(node.json("/_cluster/stats").at("/snapshots/current_counts/snapshots").asInt(-1))
          .isZero();
      assertThat(node.json("/books/_search_shards").toString()).contains("\"master\"");
    }
  }

  private static void refused(
      NodeFixture node, String method, String target, String body, String why) throws Exception {
    assertThat(node.refused(400, method, target, body).at("/error/reason").asText()).contains(why);
  }

  @Test
  void suggestersAreRefusedByTheRightName(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      assertThat(suggest(node, "{\"text\":\"x\"}"))
          .isEqualTo("parse_exception: missing suggestion object");
      assertThat(suggest(node, "{\"text\":\"x\",\"term\":{}}"))
          .isEqualTo("parse_exception: the required field option [field] is missing");
      assertThat(suggest(node, "{\"text\":\"x\",\"phrase\":{\"field\":\"tag\",\"confidence\":-1}}"))
          .isEqualTo("illegal_argument_exception: confidence must be >= 0.0");
      assertThat(suggest(node, "{\"prefix\":\"x\",\"completion\":{\"field\":\"tag\",\"size\":0}}"))
          .isEqualTo("x_content_parse_exception: [completion] failed to parse field [size]");
      assertThat(suggest(node, "{\"prefix\":\"x\",\"completion\":{\"field\":\"none\"}}"))
          .isEqualTo("illegal_argument_exception: no mapping found for field [none]");
    }
  }

  private static String suggest(NodeFixture node, String suggester) throws Exception {
    JsonNode error =
        node.refused(400, "POST", "/books/_search", "{\"suggest\":{\"a\":" + suggester + "}}")
            .at("/error/root_cause/0");
    return error.path("type").asText() + ": " + error.path("reason").asText();
  }
}
