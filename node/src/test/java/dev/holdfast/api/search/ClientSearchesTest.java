package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Searches as clients of Elasticsearch write them.
final class ClientSearchesTest {
  private static NodeFixture books(Path folder) throws Exception {
    NodeFixture node = new NodeFixture(folder);
    node.ok(
        "PUT",
        "/books",
        """
        {"settings":{"number_of_shards":2},"mappings":{"properties":{
          "day":{"type":"date","format":"yyyy-MM-dd"},"genre":{"type":"keyword"},
          "pages":{"type":"integer"},"read":{"type":"integer_range"},"title":{"type":"text"},
          "place":{"type":"geo_point"}}}}
        """);
    node.ok(
        "POST",
        "/books/_bulk?refresh=true",
        """
        {"index":{"_id":"1"}}
        {"day":"2020-01-01","genre":"a","pages":1,"title":"quick brown fox","place":"41.12,-71.34"}
        {"index":{"_id":"2"}}
        {"genre":"a","pages":2,"title":"quick fox"}
        {"index":{"_id":"3"}}
        {"day":"2024-01-01","genre":"b","pages":30,"title":"brown dog","place":"41.13,-71.34"}
        {"index":{"_id":"4"}}
        {"pages":31,"title":"nothing"}
        """);
    return node;
  }

  @ParameterizedTest
  @CsvSource({"1600000000000", "'\"1600000000000\"'", "1600000000000.0"})
  void aMissingDateIsANumberWhateverTheFormat(String missing, @TempDir Path folder)
      throws Exception {
    try (NodeFixture node = books(folder)) {
      JsonNode found =
          node.ok(
              "POST",
              "/books/_search",
              "{\"sort\":[{\"day\":{\"missing\":%s}},\"pages\"]}".formatted(missing));

      assertThat(found.at("/hits/hits").findValuesAsText("_id"))
          .containsExactly("1", "2", "4", "3");
      assertThat(found.at("/hits/hits/1/sort/0").asLong()).isEqualTo(1_600_000_000_000L);
    }
  }

  @ParameterizedTest
  @CsvSource({"'\"2021-01-01\"'", "true", "[1]", "{}"})
  void aMissingDateThatIsNoNumberIsRefused(String missing, @TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      node.refused(
          400,
          "POST",
          "/books/_search",
          "{\"sort\":[{\"day\":{\"missing\":%s}}]}".formatted(missing));
    }
  }

  @Test
  void groupsGoOnAfterTheirKeyAlone(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      String pit = node.ok("POST", "/books/_pit?keep_alive=1m", "").path("id").asText();
      String body =
          "{\"pit\":{\"id\":\"%s\"},\"collapse\":{\"field\":\"genre\"},\"sort\":[\"genre\"],\"search_after\":[\"a\"]}";

      JsonNode rest = node.ok("POST", "/_search", body.formatted(pit));

      assertThat(rest.at("/hits/hits").findValuesAsText("_id")).containsExactly("3", "4");
      assertThat(rest.at("/hits/hits/0/sort")).hasSize(1);
    }
  }

  @Test
  void aPointInTimeHoldsShardsThatItsFilterMatches(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      JsonNode _ = node.ok("PUT", "/papers/_doc/9?refresh=true", "{\"genre\":\"pulp\"}");
      String filter = "{\"index_filter\":{\"term\":{\"genre\":\"%s\"}}}";

      JsonNode some = node.ok("POST", "/books,papers/_pit?keep_alive=1m", filter.formatted("pulp"));
      JsonNode none =
          node.ok("POST", "/books,papers/_pit?keep_alive=1m", filter.formatted("nothing"));
      String body = "{\"pit\":{\"id\":\"%s\"}}";
      JsonNode found = node.ok("POST", "/_search", body.formatted(some.path("id").asText()));
      JsonNode empty = node.ok("POST", "/_search", body.formatted(none.path("id").asText()));

      assertThat(some.at("/_shards/total").asInt()).isEqualTo(3);
      assertThat(some.at("/_shards/skipped").asInt()).isEqualTo(2);
      assertThat(found.at("/hits/hits").findValuesAsText("_id")).containsExactly("9");
      assertThat(empty.at("/hits/total/value").asInt()).isZero();
    }
  }

  @Test
  void aPageAfterScoresAloneHasNoSort(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      JsonNode refused =
          node.refused(
              400, "POST", "/books/_search", "{\"sort\":[\"_score\"],\"search_after\":[1]}");

      assertThat(refused.at("/error/reason").asText())
          .isEqualTo("Sort must contain at least one field.");
    }
  }

  @ParameterizedTest
  @CsvSource({"'\"1km\"',7", "3.0,3", "3.7,3", "'\"3.7\"',10", "'\"3\"',3", "'\"100000km\"',1"})
  void geohashesAreAsLongAsADistanceNeeds(String precision, int length, @TempDir Path folder)
      throws Exception {
    try (NodeFixture node = books(folder)) {
      JsonNode found =
          node.ok(
              "POST",
              "/books/_search",
              "{\"size\":0,\"aggs\":{\"g\":{\"geohash_grid\":{\"field\":\"place\",\"precision\":%s}}}}"
                  .formatted(precision));

      assertThat(found.at("/aggregations/g/buckets/0/key").asText()).hasSize(length);
    }
  }

  @ParameterizedTest
  @CsvSource({"13", "'\"0.5mm\"'", "'\"abc\"'", "[3]", "null", "true", "'\"-1km\"'"})
  void otherPrecisionsAreRefused(String precision, @TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      node.refused(
          400,
          "POST",
          "/books/_search",
          "{\"size\":0,\"aggs\":{\"g\":{\"geohash_grid\":{\"field\":\"place\",\"precision\":%s}}}}"
              .formatted(precision));
    }
  }

  @Test
  void whatMustNotMatchNeedsNoOther(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      String query =
          "{\"query\":{\"bool\":{\"must_not\":{\"term\":{\"genre\":\"a\"}},\"minimum_should_match\":1}},\"sort\":\"pages\"}";

      JsonNode found = node.ok("POST", "/books/_search", query);

      assertThat(found.at("/hits/hits").findValuesAsText("_id")).containsExactly("3", "4");
    }
  }

  @ParameterizedTest
  @CsvSource({"5,1", "5.7,9"})
  void rangesOfRangesAreInOrderAndWhole(String from, String to, @TempDir Path folder)
      throws Exception {
    try (NodeFixture node = books(folder)) {
      node.refused(
          400,
          "POST",
          "/books/_search",
          "{\"query\":{\"range\":{\"read\":{\"gte\":%s,\"lte\":%s}}}}".formatted(from, to));
    }
  }

  @Test
  void aGroupHasHitsOfAnyScore(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      String search =
          """
          {"query":{"function_score":{"field_value_factor":{"field":"pages"},"boost_mode":"replace"}},
           "min_score":2,"collapse":{"field":"genre","inner_hits":{"name":"all"}},
           "aggs":{"n":{"value_count":{"field":"pages"}}}}
          """;

      JsonNode found = node.ok("POST", "/books/_search", search);

      assertThat(found.at("/hits/total/value").asInt()).isEqualTo(3);
      assertThat(found.at("/aggregations/n/value").asInt()).isEqualTo(3);
      assertThat(found.at("/hits/hits/2/inner_hits/all/hits/total/value").asInt()).isEqualTo(2);
    }
  }

  @Test
  void scrollsEndWhateverTheirIds(@TempDir Path folder) throws Exception {
    String elsewhere =
        "FGluY2x1ZGVfY29udGV4dF91dWlkDXF1ZXJ5QW5kRmV0Y2gBFnpsTWF5U19rUTVxaE9hczFVVVdDVWcAAAAAAAAA"
            + "ARZmU2Q2YzVrSVRmLXFJRm05M3B4WFhB";
    try (NodeFixture node = books(folder)) {
      String id =
          node.ok("POST", "/books/_search?scroll=1m&size=1", "").path("_scroll_id").asText();

      JsonNode foreign = node.refused(404, "DELETE", "/_search/scroll/" + elsewhere, "");
      JsonNode next =
          node.refused(
              404, "POST", "/_search/scroll", "{\"scroll_id\":\"%s\"}".formatted(elsewhere));
      node.refused(
          400, "DELETE", "/_search/scroll", "{\"scroll_id\":[\"%s\",\"abc\"]}".formatted(id));
      JsonNode page = node.ok("POST", "/_search/scroll", "{\"scroll_id\":\"%s\"}".formatted(id));
      JsonNode all = node.ok("DELETE", "/_search/scroll/_all", "");
      JsonNode none = node.ok("DELETE", "/_search/scroll/_all", "");

      assertThat(foreign.path("num_freed").asInt(-1)).isZero();
      assertThat(next.at("/error/type").asText())
          .isEqualTo("search_context_missing_nodes_exception");
      assertThat(page.at("/hits/hits")).hasSize(1);
      assertThat(all.path("num_freed").asInt()).isEqualTo(1);
      assertThat(none.path("num_freed").asInt()).isEqualTo(1);
    }
  }

  @Test
  void aSearchMayBeWholeOrNothing(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      other(node);
      String search = "{\"aggs\":{\"a\":{\"sum\":{\"field\":\"pages\"}}}}";
      String whole = "/books,other/_search?allow_partial_search_results=";
      String lines = "{\"index\":\"books,other\",\"allow_partial_search_results\":%s}\n%s\n";

      JsonNode nothing = node.refused(400, "POST", whole + "false", search);
      node.refused(400, "POST", whole + "false&scroll=1m", search);
      JsonNode several =
          node.ok(
              "POST", "/_msearch", lines.formatted(true, search) + lines.formatted(false, search));
      JsonNode scrolls = node.ok("GET", "/_nodes/stats/indices/search", "");
      node.ok("POST", "/books/_search?allow_partial_search_results=false", search);
      node.ok(
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"search.default_allow_partial_results\":false}}");
      node.refused(400, "POST", "/books,other/_search", search);

      assertThat(nothing.at("/error/reason").asText()).isEqualTo("Partial shards failure");
      assertThat(nothing.at("/error/root_cause/0/type").asText())
          .isEqualTo("illegal_argument_exception");
      assertThat(nothing.path("error").has("caused_by")).isFalse();
      assertThat(nothing.at("/error/failed_shards")).hasSize(1);
      assertThat(several.at("/responses/0/status").asInt()).isEqualTo(200);
      assertThat(several.at("/responses/1/status").asInt()).isEqualTo(400);
      assertThat(scrolls.at("/nodes").findValue("open_contexts").asInt()).isZero();
    }
  }

  /// An index of three shards whose `pages` are no numbers.
  private static void other(NodeFixture node) throws Exception {
    node.ok(
        "PUT",
        "/other",
        """
        {"settings":{"number_of_shards":3},"mappings":{"properties":{"pages":{"type":"keyword"}}}}
        """);
    for (int id = 0; id < 9; id++) {
      node.ok("PUT", "/other/_doc/" + id, "{\"pages\":\"x\"}");
    }
    node.ok("POST", "/other/_refresh", "");
  }

  @Test
  void shardsOfAnIndexThatFailForTheSameReasonAreToldOfOnce(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      other(node);
      node.ok(
          "PUT", "/third", "{\"mappings\":{\"properties\":{\"pages\":{\"type\":\"keyword\"}}}}");
      node.ok("PUT", "/third/_doc/1?refresh=true", "{\"pages\":\"x\"}");
      String search = "{\"aggs\":{\"a\":{\"sum\":{\"field\":\"pages\"}}}}";

      JsonNode part = node.ok("POST", "/books,other/_search", search);
      JsonNode all = node.refused(400, "POST", "/other,third/_search", search);

      assertThat(part.at("/_shards/failed").asInt()).isEqualTo(3);
      assertThat(part.at("/_shards/failures")).hasSize(1);
      assertThat(all.at("/error/failed_shards").findValuesAsText("index"))
          .containsExactly("other", "third");
      assertThat(all.at("/error/root_cause")).hasSize(2);
    }
  }

  @Test
  void whatCannotBeAskedTogetherIsRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = books(folder)) {
      node.refused(
          400,
          "POST",
          "/books/_search?search_type=query_then_fetch",
          "{\"knn\":{\"field\":\"v\",\"query_vector\":[1],\"k\":1}}");
      node.refused(
          400, "POST", "/books/_search", "{\"stored_fields\":\"_none_\",\"fields\":[\"pages\"]}");
    }
  }
}
