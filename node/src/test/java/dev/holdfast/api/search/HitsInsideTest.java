package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What hits within answers show, empty buckets, and highlights under other names, as Elasticsearch
/// 9.5.3 answers them.
final class HitsInsideTest {
  private static NodeFixture node;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    node = new NodeFixture(folder);
    node.call(
        "PUT",
        "/i",
        "{\"mappings\":{\"properties\":{\"k\":{\"type\":\"keyword\"},\"n\":{\"type\":\"integer\"},"
            + "\"d\":{\"type\":\"date\"},\"t\":{\"type\":\"text\"},\"ta\":{\"type\":\"alias\",\"path\":\"t\"},"
            + "\"o\":{\"type\":\"nested\",\"properties\":{\"x\":{\"type\":\"integer\"}}}}}}");
    node.call(
        "POST",
        "/i/_bulk?refresh=true",
        """
        {"index":{"_id":"0"}}
        {"k":"a","n":1,"d":"2020-01-01","t":"quick brown fox","o":[{"x":1},{"x":2}]}
        {"index":{"_id":"1"}}
        {"k":"b","n":5,"d":"2020-03-01","t":"lazy dog quick","o":[{"x":3}]}
        {"index":{"_id":"2"}}
        {"n":9,"t":"nothing"}
        """);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static JsonNode search(String parameters, String body) throws Exception {
    HttpResponse<String> answer = node.call("POST", "/i/_search" + parameters, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.parse(answer.body());
  }

  @Test
  void termsOfNoDocumentIncludeTheOneThatStandsForMissingValues() throws Exception {
    JsonNode words =
        search(
            "",
            "{\"size\":0,\"query\":{\"term\":{\"k\":\"a\"}},\"aggs\":{\"t\":{\"terms\":"
                + "{\"field\":\"k\",\"min_doc_count\":0,\"missing\":\"zz\"}}}}");
    JsonNode numbers =
        search(
            "",
            "{\"size\":0,\"query\":{\"term\":{\"k\":\"a\"}},\"aggs\":{\"t\":{\"terms\":"
                + "{\"field\":\"n\",\"min_doc_count\":0,\"missing\":77}}}}");

    assertThat(words.at("/aggregations/t/buckets").findValuesAsText("key"))
        .containsExactly("a", "b", "zz");
    assertThat(numbers.at("/aggregations/t/buckets").findValuesAsText("key"))
        .containsExactly("1", "5", "9", "77");
  }

  @Test
  void emptyBucketsHaveTheEmptyBucketsBelowThem() throws Exception {
    JsonNode found =
        search(
            "",
            "{\"size\":0,\"aggs\":{\"h\":{\"date_histogram\":{\"field\":\"d\",\"calendar_interval\":\"month\"},"
                + "\"aggs\":{\"in\":{\"date_histogram\":{\"field\":\"d\",\"calendar_interval\":\"month\","
                + "\"extended_bounds\":{\"min\":\"2020-01-01\",\"max\":\"2020-02-01\"}}},"
                + "\"sum\":{\"sum\":{\"field\":\"d\"}},\"before\":{\"date_range\":{\"field\":\"d\",\"ranges\":"
                + "[{\"to\":\"2020\"}]},\"aggs\":{\"sum\":{\"sum\":{\"field\":\"n\",\"format\":\"0.0\"}}}}}}}}");

    JsonNode empty = found.at("/aggregations/h/buckets/1");
    assertThat(empty.path("doc_count").asInt()).isZero();
    assertThat(empty.at("/in/buckets")).hasSize(2);
    assertThat(empty.at("/sum/value_as_string").asText()).isEqualTo("1970-01-01T00:00:00.000Z");
    assertThat(empty.at("/before/buckets/0/key").asText()).isEqualTo("*-2020-01-01T00:00:00.000Z");
    assertThat(empty.at("/before/buckets/0/sum/value_as_string").asText()).isEqualTo("0.0");
  }

  @Test
  void topHitsTakeTheFieldsOfTheirSearch() throws Exception {
    JsonNode found =
        search(
            "",
            "{\"size\":0,\"fields\":[\"n\"],\"aggs\":{\"x\":{\"top_hits\":{\"size\":1}},"
                + "\"y\":{\"top_hits\":{\"size\":1,\"fields\":[\"k\"]}}}}");

    assertThat(found.at("/aggregations/x/hits/hits/0/fields").toString()).isEqualTo("{\"n\":[1]}");
    assertThat(found.at("/aggregations/y/hits/hits/0/fields").toString())
        .isEqualTo("{\"k\":[\"a\"]}");
  }

  @Test
  void totalsAreNumbersInAggregationsToo() throws Exception {
    JsonNode found =
        search(
            "?rest_total_hits_as_int=true",
            "{\"size\":0,\"aggs\":{\"g\":{\"terms\":{\"field\":\"k\"},\"aggs\":{\"x\":{\"top_hits\":{\"size\":1}}}}}}");

    assertThat(found.at("/aggregations/g/buckets/0/x/hits/total").isInt()).isTrue();
    assertThat(found.at("/aggregations/g/buckets/0/x/hits/hits/0/_id").asText()).isEqualTo("0");
  }

  @Test
  void theSearchSaysWhetherNestedHitsShowTheirIds() throws Exception {
    String nested = "{\"nested\":{\"path\":\"o\",\"query\":{\"match_all\":{}},\"inner_hits\":";
    JsonNode outer =
        search(
            "",
            "{\"stored_fields\":\"_none_\",\"_source\":false,\"query\":"
                + nested
                + "{\"size\":1}}}}");
    JsonNode own =
        search(
            "",
            "{\"query\":"
                + nested
                + "{\"size\":1,\"stored_fields\":\"_none_\",\"_source\":false}}}}");
    JsonNode group =
        search(
            "",
            "{\"collapse\":{\"field\":\"n\",\"inner_hits\":{\"name\":\"i\",\"stored_fields\":\"_none_\",\"_source\":false}}}");

    assertThat(outer.at("/hits/hits/0/inner_hits/o/hits/hits/0").has("_id")).isFalse();
    assertThat(own.at("/hits/hits/0/inner_hits/o/hits/hits/0/_id").asText()).isEqualTo("0");
    assertThat(group.at("/hits/hits/0/inner_hits/i/hits/hits/0/_id").asText()).isEqualTo("0");
    assertThat(group.at("/hits/hits/0/inner_hits/i/hits/max_score").asDouble(-1)).isZero();
  }

  @Test
  void anAliasIsHighlightedUnderItsName() throws Exception {
    JsonNode alias =
        search(
            "",
            "{\"query\":{\"match\":{\"ta\":\"quick\"}},\"highlight\":{\"fields\":{\"ta\":{}}}}");
    JsonNode all =
        search(
            "", "{\"query\":{\"match\":{\"t\":\"quick\"}},\"highlight\":{\"fields\":{\"*\":{}}}}");

    assertThat(alias.at("/hits/hits/0/highlight/ta/0").asText())
        .isEqualTo("<em>quick</em> brown fox");
    assertThat(all.at("/hits/hits/0/highlight").properties()).hasSize(2);
  }
}
