package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens to indices in their lives: templates make them, aliases and blocks guard them, they
/// roll over, are read page by page, copied, and written again.
final class IndexLifeTest {
  @TempDir private static Path folder = Path.of("");

  private static NodeFixture node;

  @BeforeAll
  static void start() throws Exception {
    node = new NodeFixture(folder);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static JsonNode ok(String method, String target, String body) throws Exception {
    return node.ok(method, target, body);
  }

  private static JsonNode refused(int status, String method, String target, String body)
      throws Exception {
    return node.refused(status, method, target, body);
  }

  private static void fill(String index, int documents) throws Exception {
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < documents; i++) {
      bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"n\":").append(i).append(",\"kind\":\"k").append(i % 3).append("\"}\n");
    }
    assertThat(ok("POST", "/" + index + "/_bulk?refresh=true", bulk.toString()).path("errors"))
        .hasToString("false");
  }

  @Test
  void tooManyTokensAreRefused() throws Exception {
    String text = "a ".repeat(10_001);

    JsonNode refusal = refused(400, "POST", "/_analyze", "{\"text\":\"" + text + "\"}");

    assertThat(refusal.at("/error/type").asText()).isEqualTo("status_exception");
  }

  @Test
  void completionsFillUpWithDocumentsAndShowWhatTheSearchShows() throws Exception {
    JsonNode _ =
        ok(
            "PUT",
            "/completed",
            """
            {"settings":{"number_of_shards":1},
             "mappings":{"properties":{"words":{"type":"completion"}}}}\
            """);
    JsonNode _ = ok("PUT", "/completed/_doc/1", "{\"words\":[\"red a\",\"red b\",\"red c\"]}");
    JsonNode _ = ok("PUT", "/completed/_doc/2?refresh=true", "{\"words\":\"red d\"}");

    JsonNode options =
        ok(
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
  void anUnreadableSearchSpoilsTheWholeRequestAnotherOnlyItself() throws Exception {
    fill("several", 3);

    JsonNode whole = refused(400, "POST", "/several/_msearch", "{}\n{}\n{}\n{\"size\":-1}\n");
    JsonNode alone = ok("POST", "/several/_msearch", "{}\n{}\n{\"index\":\"none\"}\n{}\n");

    assertThat(whole.at("/error/type").asText()).isEqualTo("illegal_argument_exception");
    assertThat(alone.at("/responses/0/hits/total/value").asInt()).isEqualTo(3);
    assertThat(alone.at("/responses/1/status").asInt()).isEqualTo(404);
  }

  @Test
  void headIsServedWhereItAsksWhetherSomethingIsThere() throws Exception {
    fill("there", 1);

    assertThat(node.call("HEAD", "/there", "").statusCode()).isEqualTo(200);
    assertThat(node.call("HEAD", "/there/_doc/0", "").statusCode()).isEqualTo(200);
    assertThat(node.call("HEAD", "/there/_search", "").statusCode()).isEqualTo(405);
  }

  @Test
  void objectsAreShownWithTheFieldsInThem() throws Exception {
    JsonNode _ =
        ok(
            "PUT",
            "/within",
            """
            {"mappings":{"properties":{"a":{"properties":{"b":{"type":"keyword"},
              "c":{"type":"long"}}},"e":{"type":"object"}}}}\
            """);

    JsonNode caps = ok("GET", "/within/_field_caps?fields=a.*,e&types=keyword", "");

    assertThat(caps.path("fields").fieldNames()).toIterable().containsExactly("a", "a.b");
  }

  @Test
  void fieldsWithStoreAreReadAlthoughTheSourceLacksThem() throws Exception {
    JsonNode _ =
        ok(
            "PUT",
            "/aside",
            """
            {"mappings":{"_source":{"excludes":["o.hidden"]},"properties":{
              "o":{"properties":{"hidden":{"type":"text","store":true},"plain":{"type":"text"}}}}}}\
            """);
    JsonNode _ =
        ok("PUT", "/aside/_doc/1?refresh=true", "{\"o\":{\"hidden\":\"a b\",\"plain\":\"c\"}}");

    JsonNode hit =
        ok(
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
  void fieldDataAndCompletionsAreCountedByField() throws Exception {
    JsonNode _ =
        ok(
            "PUT",
            "/counted",
            """
            {"mappings":{"properties":{"bar":{"type":"text","fielddata":true,
              "fields":{"completion":{"type":"completion"}}},"baz":{"type":"text"}}}}\
            """);
    JsonNode _ = ok("PUT", "/counted/_doc/1?refresh=true", "{\"bar\":\"x y\",\"baz\":\"z\"}");

    JsonNode all = ok("GET", "/counted/_stats?fields=ba*", "").at("/_all/total");

    assertThat(all.at("/fielddata/memory_size_in_bytes").asLong()).isPositive();
    assertThat(all.at("/fielddata/fields/bar/memory_size_in_bytes").asLong()).isPositive();
    assertThat(all.at("/fielddata/fields").has("baz")).isFalse();
    assertThat(all.at("/completion/fields/bar.completion/size_in_bytes").asLong()).isPositive();
    assertThat(ok("GET", "/counted/_stats", "").at("/_all/total/fielddata").has("fields"))
        .isFalse();
    assertThat(node.call("GET", "/_cat/fielddata?h=field,size&fields=bar", "").body())
        .matches("(?s)bar .*b\n");
    assertThat(node.call("GET", "/_cat/fielddata?fields=baz", "").body()).isEmpty();
  }

  @Test
  void tablesShowWhatStatsCount() throws Exception {
    fill("tabled", 4);

    JsonNode row =
        ok("GET", "/_cat/indices/tabled?format=json&h=i,iito,pri.indexing.index_time,fm", "")
            .get(0);
    JsonNode shard = ok("GET", "/_cat/shards/tabled?format=json&h=sqm,segments.count", "").get(0);
    JsonNode member = ok("GET", "/_cat/nodes?format=json&h=iito,fm", "").get(0);

    assertThat(row.at("/i").asText()).isEqualTo("tabled");
    assertThat(row.at("/iito").asInt()).isEqualTo(4);
    assertThat(row.at("/pri.indexing.index_time").asText()).endsWith("s");
    assertThat(row.at("/fm").asText()).isEqualTo("0b");
    assertThat(shard.at("/sqm").asInt()).isEqualTo(3);
    assertThat(shard.at("/segments.count").asInt()).isPositive();
    assertThat(member.at("/iito").asInt()).isGreaterThanOrEqualTo(4);
  }

  @Test
  void threadPoolsHaveTheNamesThatClientsAskFor() throws Exception {
    String table =
        node.call("GET", "/_cat/thread_pool/flush,write,sea*?v&h=id,name,active,type", "").body();

    assertThat(table.lines().map(line -> line.split(" +")[1]))
        .containsExactly("name", "flush", "search", "write");
    assertThat(table.lines().findFirst().orElse("")).startsWith("id ");
    assertThat(
            ok("GET", "/_nodes/stats/thread_pool", "").findValue("generic").path("queue").asInt())
        .isZero();
  }

  @Test
  void clusterStatsCountFieldTypesAndAnalysis() throws Exception {
    JsonNode _ =
        ok(
            "PUT",
            "/schema",
            """
            {"settings":{"analysis":{"filter":{"mine":{"type":"stop","stopwords":["a"]}},
              "analyzer":{"own":{"tokenizer":"keyword","filter":["trim","mine"]}}}},
             "mappings":{"properties":{"m":{"type":"text","analyzer":"french"},
              "v":{"type":"version"}}}}\
            """);

    JsonNode indices = ok("GET", "/_cluster/stats", "").path("indices");

    assertThat(count(indices.at("/mappings/field_types"), "version")).isEqualTo(1);
    assertThat(count(indices.at("/analysis/analyzer_types"), "custom")).isEqualTo(1);
    assertThat(count(indices.at("/analysis/filter_types"), "stop")).isEqualTo(1);
    assertThat(count(indices.at("/analysis/built_in_filters"), "trim")).isEqualTo(1);
    assertThat(count(indices.at("/analysis/built_in_filters"), "mine")).isZero();
    assertThat(count(indices.at("/analysis/built_in_tokenizers"), "keyword")).isEqualTo(1);
    assertThat(count(indices.at("/analysis/built_in_analyzers"), "french")).isEqualTo(1);
  }

  private static int count(JsonNode list, String name) {
    for (JsonNode one : list) {
      if (one.path("name").asText().equals(name)) {
        return one.path("count").asInt();
      }
    }
    return 0;
  }

  @Test
  void aBodyThatOnlySuggestsHasNoHits() throws Exception {
    JsonNode _ = ok("PUT", "/suggested/_doc/1?refresh=true", "{\"t\":\"quick\"}");
    String suggest = "\"suggest\":{\"s\":{\"text\":\"quikc\",\"term\":{\"field\":\"t\"}}}";

    JsonNode only = ok("POST", "/suggested/_search", "{" + suggest + "}");
    JsonNode both =
        ok("POST", "/suggested/_search", "{\"query\":{\"match_all\":{}}," + suggest + "}");

    assertThat(only.at("/hits/total/value").asInt()).isZero();
    assertThat(only.at("/suggest/s/0/options/0/text").asText()).isEqualTo("quick");
    assertThat(both.at("/hits/total/value").asInt()).isEqualTo(1);
  }

  @Test
  void fieldsOfNestedObjectsStayTogether() throws Exception {
    JsonNode _ =
        ok(
            "PUT",
            "/grouped",
            """
            {"mappings":{"properties":{"k":{"type":"keyword"},"al":{"type":"alias","path":"k"},
              "o":{"type":"nested","properties":{"x":{"type":"keyword"},"p":{"type":"nested",
                "properties":{"y":{"type":"long"}}}}}}}}\
            """);
    JsonNode _ =
        ok(
            "PUT",
            "/grouped/_doc/1?refresh=true",
            "{\"k\":\"a\",\"o\":[{\"x\":\"b\",\"p\":[{\"y\":1},{\"y\":2}]},{\"x\":\"c\"},{}]}");

    JsonNode fields =
        ok("POST", "/grouped/_search", "{\"fields\":[\"k\",\"o.*\"],\"docvalue_fields\":[\"al\"]}")
            .at("/hits/hits/0/fields");

    assertThat(fields.toString())
        .isEqualTo(
            "{\"k\":[\"a\"],\"o\":[{\"x\":[\"b\"],\"p\":[{\"y\":[1]},{\"y\":[2]}]},"
                + "{\"x\":[\"c\"]}],\"al\":[\"a\"]}");
  }

  @Test
  void parametersOutOfTheirLimitsAreRefused() throws Exception {
    JsonNode _ = ok("PUT", "/limited", "");

    for (String wrong :
        List.of(
            "from=-1",
            "size=-1",
            "batched_reduce_size=1",
            "pre_filter_shard_size=0",
            "max_concurrent_shard_requests=0",
            "timeout=soon")) {
      JsonNode _ = refused(400, "GET", "/limited/_search?" + wrong, "");
    }
    assertThat(
            refused(400, "POST", "/limited/_search", "{\"search_after\":[1]}")
                .findValue("reason")
                .asText())
        .isEqualTo("Sort must contain at least one field.");
    JsonNode _ = refused(400, "POST", "/limited/_refresh?master_timeout=5", "");
    JsonNode _ = refused(400, "POST", "/limited/_flush?force=true&wait_if_ongoing=false", "");
    JsonNode _ = refused(400, "PUT", "/limited/_settings", "{}");
    assertThat(
            refused(400, "PUT", "/limited-too", "{\"aliases\":{\"limited\":{}}}")
                .at("/error/type")
                .asText())
        .isEqualTo("invalid_alias_name_exception");
    assertThat(
            refused(400, "PUT", "/limited/_mapping", "{\"properties\":{\"a\":{\"type\":\"none\"}}}")
                .at("/error/root_cause/0/reason")
                .asText())
        .startsWith("The mapper type [none]");
  }

  @Test
  void statsOfAClosedIndexAreRefusedWhenItIsNamed() throws Exception {
    JsonNode _ = ok("PUT", "/shut", "");
    JsonNode _ = ok("POST", "/shut/_close", "");

    assertThat(refused(400, "GET", "/shut/_stats", "").at("/error/type").asText())
        .isEqualTo("index_closed_exception");
    JsonNode _ = ok("GET", "/shut/_stats?forbid_closed_indices=false", "");
    JsonNode _ = ok("GET", "/shu*/_stats", "");
  }

  @Test
  void percolatesDocumentsOfOtherIndices() throws Exception {
    JsonNode _ =
        ok(
            "PUT",
            "/queries",
            """
            {"mappings":{"properties":{"query":{"type":"percolator"},"foo":{"type":"keyword"}}}}\
            """);
    JsonNode _ =
        ok("PUT", "/queries/_doc/q?refresh=true", "{\"query\":{\"term\":{\"foo\":\"bar\"}}}");
    JsonNode _ = ok("PUT", "/papers/_doc/1?refresh=true", "{\"foo\":\"bar\"}");
    String percolate =
        "{\"query\":{\"percolate\":{\"field\":\"query\",\"index\":\"papers\",\"id\":\"";

    assertThat(ok("POST", "/queries/_search", percolate + "1\"}}}").at("/hits/hits/0/_id").asText())
        .isEqualTo("q");
    assertThat(
            refused(404, "POST", "/queries/_search", percolate + "2\"}}}")
                .at("/error/type")
                .asText())
        .isEqualTo("resource_not_found_exception");
  }

  @Test
  void statsByShardSayWhereEachIs() throws Exception {
    fill("placed", 3);

    JsonNode shard =
        ok("GET", "/placed/_stats/_all?level=shards", "").at("/indices/placed/shards/0/0");

    assertThat(shard.at("/routing/state").asText()).isEqualTo("STARTED");
    assertThat(shard.at("/routing/primary").asBoolean()).isTrue();
    assertThat(shard.at("/routing/node").asText()).isNotEmpty();
    assertThat(shard.at("/routing/relocating_node").isNull()).isTrue();
    assertThat(shard.at("/indexing/index_total").asLong()).isEqualTo(3);
  }

  @Test
  void aWriteMakesItsIndexAsTheTemplateOfTheHighestPrioritySays() throws Exception {
    ok(
        "PUT",
        "/_component_template/tpl-numbers",
        """
        {"template":{"settings":{"number_of_replicas":0},
          "mappings":{"properties":{"n":{"type":"integer"},"o":{"properties":{"a":{"type":"ip"}}}}}}}\
        """);
    ok(
        "PUT",
        "/_index_template/tpl-low",
        "{\"index_patterns\":[\"tpl-*\"],\"template\":{\"settings\":{\"number_of_replicas\":5}}}");
    ok(
        "PUT",
        "/_index_template/tpl-high",
        """
        {"index_patterns":["tpl-*"],"priority":9,"composed_of":["tpl-numbers"],
         "template":{"mappings":{"properties":{"o":{"properties":{"b":{"type":"date"}}}}},
                     "aliases":{"all-of-{index}":{}}}}\
        """);

    ok("PUT", "/tpl-1/_doc/1", "{\"n\":1}");

    JsonNode index = node.json("/tpl-1").path("tpl-1");
    assertThat(index.at("/settings/index/number_of_replicas").asText()).isEqualTo("0");
    assertThat(index.at("/mappings/properties/n/type").asText()).isEqualTo("integer");
    assertThat(index.at("/mappings/properties/o/properties/a/type").asText()).isEqualTo("ip");
    assertThat(index.at("/mappings/properties/o/properties/b/type").asText()).isEqualTo("date");
    assertThat(index.path("aliases").has("all-of-tpl-1")).isTrue();
    assertThat(
            refused(400, "DELETE", "/_component_template/tpl-numbers", "")
                .at("/error/reason")
                .asText())
        .contains("still in use by index templates [tpl-high]");
    assertThat(
            refused(400, "PUT", "/_index_template/tpl-same", "{\"index_patterns\":[\"tpl-x*\"]}")
                .at("/error/reason")
                .asText())
        .contains("that have the same priority [0]");
  }

  @Test
  void aliasesFilterSearchesAndRouteWrites() throws Exception {
    ok(
        "PUT",
        "/pets",
        """
        {"settings":{"number_of_shards":4},"mappings":{"properties":{"kind":{"type":"keyword"}}},
         "aliases":{"cats":{"filter":{"term":{"kind":"cat"}}},"home":{"routing":"h"}}}\
        """);
    ok("PUT", "/pets/_doc/1?refresh=true", "{\"kind\":\"cat\"}");
    ok("PUT", "/home/_doc/2?refresh=true", "{\"kind\":\"dog\"}");

    assertThat(node.json("/cats/_search").at("/hits/total/value").asInt()).isEqualTo(1);
    assertThat(node.json("/cats,pets/_count").path("count").asInt()).isEqualTo(2);
    assertThat(node.json("/home/_search").at("/_shards/total").asInt()).isEqualTo(1);
    assertThat(node.json("/home/_doc/2").path("_routing").asText()).isEqualTo("h");
    assertThat(refused(400, "PUT", "/home/_doc/3?routing=x", "{}").at("/error/reason").asText())
        .contains("Alias [home] has index routing associated with it [h]");
  }

  @Test
  void theNearestOfAllShardsAreFound() throws Exception {
    ok(
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
    ok("POST", "/near/_bulk?refresh=true", bulk.toString());
    String nearest =
        "\"knn\":{\"field\":\"v\",\"query_vector\":[0,0],\"k\":3,\"num_candidates\":20}";

    JsonNode alone = ok("POST", "/near/_search", "{" + nearest + "}");
    JsonNode sorted = ok("POST", "/near/_search", "{" + nearest + ",\"sort\":[{\"n\":\"desc\"}]}");
    JsonNode counted =
        ok(
            "POST",
            "/near/_search",
            "{\"size\":0," + nearest + ",\"aggs\":{\"s\":{\"sum\":{\"field\":\"n\"}}}}");
    JsonNode mixed =
        ok("POST", "/near/_search", "{" + nearest + ",\"query\":{\"terms\":{\"n\":[2,39]}}}");

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
  void analysesATextAsTheFieldIndexesIt() throws Exception {
    ok(
        "PUT",
        "/analysed",
        """
        {"mappings":{"properties":{
          "t":{"type":"text","analyzer":"keyword","search_analyzer":"standard"}}}}\
        """);

    JsonNode tokens = ok("POST", "/analysed/_analyze", "{\"field\":\"t\",\"text\":\"a b\"}");

    assertThat(tokens.path("tokens").findValuesAsText("token")).containsExactly("a b");
  }

  @Test
  void saysWhatIsWrongWithATextThatIsNotJson() throws Exception {
    String unclosed = "{\"query\":{\"match_all\":{}}";

    JsonNode search = refused(400, "POST", "/_search", unclosed);
    JsonNode document = refused(400, "POST", "/unclosed/_doc", "{\"a\":1");

    assertThat(search.at("/error/root_cause/0/reason").asText())
        .isEqualTo("[1:26] Unexpected end of file: an object, array or string is not closed");
    assertThat(document.at("/error/root_cause/0/reason").asText())
        .startsWith("[1:7] failed to parse: Unexpected end-of-input");
  }

  private static List<String> ids(JsonNode found) {
    return found.at("/hits/hits").findValuesAsText("_id");
  }

  @Test
  void aPointInTimeStaysWhileItsIndexChanges() throws Exception {
    fill("frozen", 5);
    String id = ok("POST", "/frozen/_pit?keep_alive=1m", "").path("id").asText();
    ok(
        "POST",
        "/frozen/_delete_by_query?refresh=true",
        "{\"query\":{\"range\":{\"n\":{\"gte\":1}}}}");
    ok("POST", "/frozen/_forcemerge?max_num_segments=1", "");

    List<String> seen = new ArrayList<>();
    String after = "";
    while (true) {
      JsonNode page =
          ok(
              "POST",
              "/_search",
              "{\"size\":2,\"sort\":[\"kind.keyword\"],\"pit\":{\"id\":\""
                  + id
                  + "\"}"
                  + after
                  + "}");
      if (page.at("/hits/hits").isEmpty()) {
        break;
      }
      page.at("/hits/hits").forEach(hit -> seen.add(hit.path("_id").asText()));
      JsonNode last = page.at("/hits/hits").get(page.at("/hits/hits").size() - 1);
      assertThat(last.path("sort").size()).isEqualTo(2);
      after = ",\"search_after\":" + last.path("sort");
    }

    assertThat(seen).containsExactlyInAnyOrder("0", "1", "2", "3", "4");
    assertThat(node.json("/frozen/_count").path("count").asInt()).isEqualTo(1);
    assertThat(ok("DELETE", "/_pit", "{\"id\":\"" + id + "\"}").path("num_freed").asInt())
        .isEqualTo(1);
    assertThat(refused(404, "DELETE", "/_pit", "{\"id\":\"" + id + "\"}").path("num_freed").asInt())
        .isZero();
  }

  @Test
  void reindexCopiesInSlicesAndItsTaskKeepsTheResult() throws Exception {
    fill("from", 50);
    String body =
        "{\"source\":{\"index\":\"from\",\"size\":7},\"dest\":{\"index\":\"into\",\"version_type\":\"external\"}}";
    String task =
        ok("POST", "/_reindex?wait_for_completion=false&slices=3&refresh=true", body)
            .path("task")
            .asText();

    JsonNode done = node.json("/_tasks/" + task + "?wait_for_completion=true");

    assertThat(done.path("completed").asBoolean()).isTrue();
    assertThat(done.at("/response/created").asInt()).as(done.toString()).isEqualTo(50);
    assertThat(done.at("/response/slices").size()).isEqualTo(3);
    assertThat(node.json("/into/_count").path("count").asInt()).isEqualTo(50);
    JsonNode again = refused(409, "POST", "/_reindex", body);
    assertThat(again.path("version_conflicts").asInt()).isPositive();
    assertThat(again.at("/failures/0/cause/type").asText())
        .isEqualTo("version_conflict_engine_exception");
    assertThat(
            ok("POST", "/into/_update_by_query?max_docs=9&scroll_size=2", "")
                .path("updated")
                .asInt())
        .isEqualTo(9);
  }

  @Test
  void aBlockRefusesWritesOfAResizedIndexToo() throws Exception {
    fill("origin", 20);
    ok("PUT", "/origin/_block/write", "");

    JsonNode blocked = refused(403, "PUT", "/origin/_doc/1", "{}");
    ok("PUT", "/origin/_clone/twin", "{\"settings\":{\"index.blocks.write\":null}}");
    ok("PUT", "/origin/_split/wide", "{\"settings\":{\"index.number_of_shards\":4}}");

    assertThat(blocked.at("/error/type").asText()).isEqualTo("cluster_block_exception");
    ok("PUT", "/twin/_doc/1", "{}");
    assertThat(refused(403, "PUT", "/wide/_doc/1", "{}").at("/error/reason").asText())
        .isEqualTo("index [wide] blocked by: [FORBIDDEN/8/index write (api)];");
  }

  @Test
  void rolloverGivesTheAliasTheNextIndex() throws Exception {
    ok("PUT", "/series-000009", "{\"aliases\":{\"series\":{\"is_write_index\":true}}}");
    ok("PUT", "/series/_doc/1?refresh=true", "{}");

    JsonNode dry = ok("POST", "/series/_rollover?dry_run", "{\"conditions\":{\"max_docs\":1}}");
    JsonNode done = ok("POST", "/series/_rollover", "{\"conditions\":{\"max_docs\":1}}");

    assertThat(dry.path("rolled_over").asBoolean()).isFalse();
    assertThat(done.path("new_index").asText()).isEqualTo("series-000010");
    assertThat(ok("PUT", "/series/_doc/2", "{}").path("_index").asText())
        .isEqualTo("series-000010");
    assertThat(node.json("/_alias/series").size()).isEqualTo(2);
  }

  @Test
  void templatesTellWhenTheyWereMadeAndChanged() throws Exception {
    String target = "/_component_template/dated";
    String dates = "/component_templates/0/component_template/";
    node.ok("PUT", target, "{\"template\":{}}");
    JsonNode made = node.json(target);

    node.ok("PUT", target, "{\"template\":{}}");
    JsonNode same = node.json(target);
    node.ok("PUT", target, "{\"template\":{},\"version\":2}");
    JsonNode changed = node.json("GET", target + "?human");

    long created = made.at(dates + "created_date_millis").asLong();
    assertThat(created).isPositive();
    assertThat(same).isEqualTo(made);
    assertThat(changed.at(dates + "created_date_millis").asLong()).isEqualTo(created);
    assertThat(changed.at(dates + "modified_date_millis").asLong()).isGreaterThanOrEqualTo(created);
    assertThat(changed.at(dates + "created_date").asText()).endsWith("Z");
    node.refused(400, "PUT", target, "{\"template\":{},\"created_date_millis\":5}");
  }
}
