package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What searches show of documents, and what is wrong with those that are refused.
final class SearchApiTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void completionsFillUpWithDocumentsAndShowWhatTheSearchShows() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/completed",
            """
            {"settings":{"number_of_shards":1},
             "mappings":{"properties":{"words":{"type":"completion"}}}}\
            """);
    JsonNode _ = node.ok("PUT", "/completed/_doc/1", "{\"words\":[\"red a\",\"red b\",\"red c\"]}");
    JsonNode _ = node.ok("PUT", "/completed/_doc/2?refresh=true", "{\"words\":\"red d\"}");

    JsonNode options =
        node.ok(
                "POST",
                "/completed/_search",
                """
                {"_source":false,
                 "suggest":{"s":{"prefix":"red","completion":{"field":"words","size":2}}}}\
                """)
            .at("/suggest/s/0/options");

    assertThat(options.findValuesAsText("_id")).containsExactly("1", "2");
    assertThat(options.get(0).has("_source")).isFalse();
  }

  @Test
  void completionsAreFoundByAnAliasOfTheirField() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/renamed",
            """
            {"mappings":{"properties":{
             "words":{"type":"completion"},"other":{"type":"alias","path":"words"}}}}\
            """);
    JsonNode _ = node.ok("PUT", "/renamed/_doc/1?refresh=true", "{\"words\":\"red a\"}");

    JsonNode answer =
        node.ok(
            "POST",
            "/renamed/_search",
            "{\"suggest\":{\"s\":{\"prefix\":\"red\",\"completion\":{\"field\":\"other\"}}}}");

    assertThat(answer.at("/suggest/s/0/options").findValuesAsText("_id")).containsExactly("1");
  }

  @Test
  void anUnreadableSearchSpoilsTheWholeRequestAnotherOnlyItself() throws Exception {
    node.fill("several", 3);

    JsonNode whole = node.refused(400, "POST", "/several/_msearch", "{}\n{}\n{}\n{\"size\":-1}\n");
    JsonNode alone = node.ok("POST", "/several/_msearch", "{}\n{}\n{\"index\":\"none\"}\n{}\n");

    assertThat(whole.at("/error/type").asText()).isEqualTo("illegal_argument_exception");
    assertThat(alone.at("/responses/0/hits/total/value").asInt()).isEqualTo(3);
    assertThat(alone.at("/responses/1/status").asInt()).isEqualTo(404);
  }

  @Test
  void objectsAreShownWithTheFieldsInThem() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/within",
            """
            {"mappings":{"properties":{"a":{"properties":{"b":{"type":"keyword"},
              "c":{"type":"long"}}},"e":{"type":"object"}}}}\
            """);

    JsonNode caps = node.ok("GET", "/within/_field_caps?fields=a.*,e&types=keyword", "");

    assertThat(caps.path("fields").fieldNames()).toIterable().containsExactly("a", "a.b");
  }

  @Test
  void fieldsWithStoreAreReadAlthoughTheSourceLacksThem() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/aside",
            """
            {"mappings":{"_source":{"excludes":["o.hidden"]},"properties":{
              "o":{"properties":{"hidden":{"type":"text","store":true},"plain":{"type":"text"}}}}}}\
            """);
    JsonNode _ =
        node.ok(
            "PUT", "/aside/_doc/1?refresh=true", "{\"o\":{\"hidden\":\"a b\",\"plain\":\"c\"}}");

    JsonNode hit =
        node.ok(
                "POST",
                "/aside/_search",
                """
                {"query":{"match":{"o.hidden":"b"}},"_source":true,"stored_fields":["o.hidden"],
                 "fields":["o.*"],"highlight":{"fields":{"o.hidden":{}}}}\
                """)
            .at("/hits/hits/0");

    assertThat(hit.at("/_source").toString()).isEqualTo("{\"o\":{\"plain\":\"c\"}}");
    assertThat(hit.at("/fields/o.hidden/0").asText()).isEqualTo("a b");
    assertThat(hit.at("/highlight/o.hidden/0").asText()).isEqualTo("a <em>b</em>");
  }

  @Test
  void fieldsShowFloatsAndAddressesAsTheyMeanThem() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/shown",
            """
            {"mappings":{"properties":{"f":{"type":"float","store":true},"h":{"type":"half_float"},
              "ip":{"type":"ip","ignore_malformed":true},
              "r":{"type":"integer_range"},"fr":{"type":"float_range"}}}}\
            """);
    JsonNode _ =
        node.ok(
            "PUT",
            "/shown/_doc/1?refresh=true",
            """
            {"f":[0.1,1e18,2147483648],"h":0.3,
             "ip":["2001:DB8:0:0::1","::ffff:1.2.3.4","pear"],"dynamic":0.2,
             "r":{"gte":"1","lt":2.5},"fr":{"gte":0.1,"lt":2}}\
            """);

    JsonNode hit =
        node.ok("POST", "/shown/_search", "{\"fields\":[\"f\",\"h\",\"ip\",\"dynamic\",\"*r\"]}")
            .at("/hits/hits/0");
    JsonNode stored =
        node.ok("POST", "/shown/_search", "{\"stored_fields\":[\"f\"]}").at("/hits/hits/0/fields");
    JsonNode columns =
        node.ok("POST", "/shown/_search", "{\"docvalue_fields\":[\"dynamic\"]}")
            .at("/hits/hits/0/fields");

    assertThat(hit.at("/fields/f").toString()).isEqualTo("[0.1,1.0E18,2.1474836E9]");
    assertThat(hit.at("/fields/h").toString()).isEqualTo("[0.30004883]");
    assertThat(hit.at("/fields/dynamic").toString()).isEqualTo("[0.2]");
    assertThat(hit.at("/fields/ip").toString()).isEqualTo("[\"2001:db8::1\",\"1.2.3.4\"]");
    assertThat(hit.at("/fields/r/0").toString()).isEqualTo("{\"gte\":1,\"lt\":2}");
    assertThat(hit.at("/fields/fr/0").toString()).isEqualTo("{\"gte\":0.1,\"lt\":2.0}");
    assertThat(hit.at("/ignored_field_values/ip").toString()).isEqualTo("[\"pear\"]");
    assertThat(stored.at("/f/0").toString()).isEqualTo("0.1");
    assertThat(columns.at("/dynamic").toString()).isEqualTo("[0.20000000298023224]");
  }

  @Test
  void aBodyThatOnlySuggestsHasNoHits() throws Exception {
    JsonNode _ = node.ok("PUT", "/suggested/_doc/1?refresh=true", "{\"t\":\"quick\"}");
    String suggest = "\"suggest\":{\"s\":{\"text\":\"quikc\",\"term\":{\"field\":\"t\"}}}";

    JsonNode only = node.ok("POST", "/suggested/_search", "{" + suggest + "}");
    JsonNode both =
        node.ok("POST", "/suggested/_search", "{\"query\":{\"match_all\":{}}," + suggest + "}");

    assertThat(only.at("/hits/total/value").asInt()).isZero();
    assertThat(only.at("/suggest/s/0/options/0/text").asText()).isEqualTo("quick");
    assertThat(both.at("/hits/total/value").asInt()).isEqualTo(1);
  }

  @Test
  void fieldsOfNestedObjectsStayTogether() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/grouped",
            """
            {"mappings":{"properties":{"k":{"type":"keyword"},"al":{"type":"alias","path":"k"},
              "o":{"type":"nested","properties":{"x":{"type":"keyword"},"p":{"type":"nested",
                "properties":{"y":{"type":"long"}}}}}}}}\
            """);
    JsonNode _ =
        node.ok(
            "PUT",
            "/grouped/_doc/1?refresh=true",
            "{\"k\":\"a\",\"o\":[{\"x\":\"b\",\"p\":[{\"y\":1},{\"y\":2}]},{\"x\":\"c\"},{}]}");

    JsonNode fields =
        node.ok(
                "POST",
                "/grouped/_search",
                "{\"fields\":[\"k\",\"o.*\"],\"docvalue_fields\":[\"al\"]}")
            .at("/hits/hits/0/fields");

    assertThat(fields.toString())
        .isEqualTo(
            "{\"k\":[\"a\"],\"o\":[{\"x\":[\"b\"],\"p\":[{\"y\":[1]},{\"y\":[2]}]},"
                + "{\"x\":[\"c\"]}],\"al\":[\"a\"]}");
  }

  @Test
  void parametersOutOfTheirLimitsAreRefused() throws Exception {
    JsonNode _ = node.ok("PUT", "/limited", "");

    for (String wrong :
        List.of(
            "from=-1",
            "size=-1",
            "batched_reduce_size=1",
            "pre_filter_shard_size=0",
            "max_concurrent_shard_requests=0",
            "timeout=soon")) {
      JsonNode _ = node.refused(400, "GET", "/limited/_search?" + wrong, "");
    }
    assertThat(
            node.refused(400, "POST", "/limited/_search", "{\"search_after\":[1]}")
                .findValue("reason")
                .asText())
        .isEqualTo("Sort must contain at least one field.");
    JsonNode _ = node.refused(400, "POST", "/limited/_refresh?master_timeout=5", "");
    JsonNode _ = node.refused(400, "POST", "/limited/_flush?force=true&wait_if_ongoing=false", "");
    JsonNode _ = node.refused(400, "PUT", "/limited/_settings", "{}");
    assertThat(
            node.refused(400, "PUT", "/limited-too", "{\"aliases\":{\"limited\":{}}}")
                .at("/error/type")
                .asText())
        .isEqualTo("invalid_alias_name_exception");
    assertThat(
            node.refused(
                    400, "PUT", "/limited/_mapping", "{\"properties\":{\"a\":{\"type\":\"none\"}}}")
                .at("/error/root_cause/0/reason")
                .asText())
        .startsWith("The mapper type [none]");
  }

  @Test
  void percolatesDocumentsOfOtherIndices() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/queries",
            """
            {"mappings":{"properties":{"query":{"type":"percolator"},"foo":{"type":"keyword"}}}}\
            """);
    JsonNode _ =
        node.ok("PUT", "/queries/_doc/q?refresh=true", "{\"query\":{\"term\":{\"foo\":\"bar\"}}}");
    JsonNode _ = node.ok("PUT", "/papers/_doc/1?refresh=true", "{\"foo\":\"bar\"}");
    String percolate =
        "{\"query\":{\"percolate\":{\"field\":\"query\",\"index\":\"papers\",\"id\":\"";
    String brought =
        "{\"query\":{\"percolate\":{\"field\":\"query\",\"index\":%s,\"document\":{\"foo\":\"bar\"}}}}";

    assertThat(node.ok("POST", "/queries/_search", brought.formatted("\"x\"")).at("/hits/hits"))
        .hasSize(1);
    node.refused(400, "POST", "/queries/_search", brought.formatted("{}"));

    assertThat(
            node.ok("POST", "/queries/_search", percolate + "1\"}}}")
                .at("/hits/hits/0/_id")
                .asText())
        .isEqualTo("q");
    assertThat(
            node.refused(404, "POST", "/queries/_search", percolate + "2\"}}}")
                .at("/error/type")
                .asText())
        .isEqualTo("resource_not_found_exception");
    assertThat(
            node.ok("POST", "/queries/_search", percolate + "1\",\"version\":1}}}")
                .at("/hits/hits"))
        .hasSize(1);
    assertThat(
            node.refused(409, "POST", "/queries/_search", percolate + "1\",\"version\":2}}}")
                .at("/error/type")
                .asText())
        .isEqualTo("version_conflict_engine_exception");
    assertThat(
            node.refused(400, "POST", "/queries/_search", percolate + "1\",\"version\":0}}}")
                .at("/error/reason")
                .asText())
        .contains("illegal version value [0]");
    assertThat(
            node.refused(
                    400, "POST", "/queries/_search", percolate + "1\",\"preference\":\"_x\"}}}")
                .at("/error/reason")
                .asText())
        .isEqualTo("no Preference for [_x]");
    assertThat(
            node.refused(400, "POST", "/queries/_search", percolate + "1\",\"document\":{}}}}")
                .at("/error/reason")
                .asText())
        .isEqualTo("The following fields are not allowed together: [id, document] ");
    assertThat(
            node.refused(400, "POST", "/queries/_search", percolate + "1\",\"routing\":5}}}")
                .at("/error/type")
                .asText())
        .isEqualTo("x_content_parse_exception");
  }

  @Test
  void theNearestOfAllShardsAreFound() throws Exception {
    node.ok(
        "PUT",
        "/near",
        """
        {"settings":{"number_of_shards":4},"mappings":{"properties":{
          "v":{"type":"dense_vector","dims":2,"similarity":"l2_norm"},"n":{"type":"long"}}}}\
        """);
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"v\":[").append(i).append(",0],\"n\":").append(i).append("}\n");
    }
    node.ok("POST", "/near/_bulk?refresh=true", bulk.toString());
    String nearest =
        "\"knn\":{\"field\":\"v\",\"query_vector\":[0,0],\"k\":3,\"num_candidates\":20}";

    JsonNode alone = node.ok("POST", "/near/_search", "{" + nearest + "}");
    JsonNode sorted =
        node.ok("POST", "/near/_search", "{" + nearest + ",\"sort\":[{\"n\":\"desc\"}]}");
    JsonNode counted =
        node.ok(
            "POST",
            "/near/_search",
            "{\"size\":0," + nearest + ",\"aggs\":{\"s\":{\"sum\":{\"field\":\"n\"}}}}");
    JsonNode mixed =
        node.ok("POST", "/near/_search", "{" + nearest + ",\"query\":{\"terms\":{\"n\":[2,39]}}}");

    assertThat(ids(alone)).containsExactly("0", "1", "2");
    assertThat(alone.at("/hits/total/value").asInt()).isEqualTo(3);
    assertThat(ids(sorted)).containsExactly("2", "1", "0");
    assertThat(counted.at("/hits/total/value").asInt()).isEqualTo(3);
    assertThat(counted.at("/aggregations/s/value").asDouble()).isEqualTo(3);
    assertThat(mixed.at("/hits/total/value").asInt()).isEqualTo(4);
    assertThat(ids(mixed)).containsExactlyInAnyOrder("0", "1", "2", "39");
    assertThat(ids(mixed).getFirst()).isEqualTo("2");
  }

  @Test
  void saysWhatIsWrongWithATextThatIsNotJson() throws Exception {
    String unclosed = "{\"query\":{\"match_all\":{}}";

    JsonNode search = node.refused(400, "POST", "/_search", unclosed);
    JsonNode document = node.refused(400, "POST", "/unclosed/_doc", "{\"a\":1");

    assertThat(search.at("/error/root_cause/0/reason").asText())
        .isEqualTo("[1:26] Unexpected end of file: an object, array or string is not closed");
    assertThat(document.at("/error/root_cause/0/reason").asText())
        .startsWith("[1:7] failed to parse: Unexpected end-of-input");
  }

  private static List<String> ids(JsonNode found) {
    return found.at("/hits/hits").findValuesAsText("_id");
  }
}
