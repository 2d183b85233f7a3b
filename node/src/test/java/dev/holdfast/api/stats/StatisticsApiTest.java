package dev.holdfast.api.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.holdfast.node.RunningNode;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What the APIs that count show: `_stats`, `_cat`, `_nodes/stats`, `_cluster/stats`.
final class StatisticsApiTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void fieldDataAndCompletionsAreCountedByField() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/counted",
            """
            {"mappings":{"properties":{"bar":{"type":"text","fielddata":true,
              "fields":{"completion":{"type":"completion"}}},"baz":{"type":"text"}}}}\
            """);
    JsonNode _ = node.ok("PUT", "/counted/_doc/1?refresh=true", "{\"bar\":\"x y\",\"baz\":\"z\"}");

    JsonNode all = node.ok("GET", "/counted/_stats?fields=ba*", "").at("/_all/total");

    assertThat(all.at("/fielddata/memory_size_in_bytes").asLong()).isPositive();
    assertThat(all.at("/fielddata/fields/bar/memory_size_in_bytes").asLong()).isPositive();
    assertThat(all.at("/fielddata/fields").has("baz")).isFalse();
    assertThat(all.at("/completion/fields/bar.completion/size_in_bytes").asLong()).isPositive();
    assertThat(node.ok("GET", "/counted/_stats", "").at("/_all/total/fielddata").has("fields"))
        .isFalse();
    assertThat(node.call("GET", "/_cat/fielddata?h=field,size&fields=bar", "").body())
        .matches("(?s)bar .*b\n");
    assertThat(node.call("GET", "/_cat/fielddata?fields=baz", "").body()).isEmpty();
  }

  @Test
  void recoveriesAndShardsAreTold() throws Exception {
    node.fill("told", 1);

    JsonNode recovery = node.json("/told/_recovery?human").at("/told/shards/0");

    assertThat(recovery.path("stop_time_in_millis").asLong()).isPositive();
    assertThat(recovery.path("stop_time").asText()).endsWith("Z");
    assertThat(recovery.path("total_time").asText()).isEqualTo("0s");
    assertThat(recovery.at("/index/size/total").asText()).endsWith("b");
    assertThat(node.json("/told/_recovery").at("/told/shards/0").has("total_time")).isFalse();
    assertThat(node.json("/told/_stats").at("/_all/total/shard_stats/total_count").asInt())
        .isEqualTo(1);
    assertThat(node.json("/_nodes/stats/indices/shard_stats").toString()).contains("total_count");
  }

  @Test
  void tablesShowWhatStatsCount() throws Exception {
    node.fill("tabled", 4);

    JsonNode row =
        node.ok("GET", "/_cat/indices/tabled?format=json&h=i,iito,pri.indexing.index_time,fm", "")
            .get(0);
    JsonNode shard =
        node.ok("GET", "/_cat/shards/tabled?format=json&h=sqm,segments.count", "").get(0);
    JsonNode member = node.ok("GET", "/_cat/nodes?format=json&h=iito,fm", "").get(0);

    assertThat(row.at("/i").asText()).isEqualTo("tabled");
    assertThat(row.at("/iito").asInt()).isEqualTo(4);
    assertThat(row.at("/pri.indexing.index_time").asText()).endsWith("s");
    assertThat(row.at("/fm").asText()).isEqualTo("0b");
    assertThat(shard.at("/sqm").asInt()).isEqualTo(3);
    assertThat(shard.at("/segments.count").asInt()).isPositive();
    assertThat(member.at("/iito").asInt()).isGreaterThanOrEqualTo(4);
  }

  @Test
  void recoveriesThatAreDoneAreNotActive() throws Exception {
    node.fill("recovered", 1);

    assertThat(node.get("/_cat/recovery/recovered?h=index,stage").body())
        .contains("recovered done");
    assertThat(node.get("/_cat/recovery/recovered?active_only=true&h=index,stage").body())
        .isEmpty();
  }

  @Test
  void threadPoolsHaveTheNamesThatClientsAskFor() throws Exception {
    String table =
        node.call("GET", "/_cat/thread_pool/flush,write,sea*?v&h=id,name,active,type", "").body();

    assertThat(table.lines().map(line -> line.split(" +")[1]))
        .containsExactly("name", "flush", "search", "write");
    assertThat(table.lines().findFirst().orElse("")).startsWith("id ");
    assertThat(
            node.ok("GET", "/_nodes/stats/thread_pool", "")
                .findValue("generic")
                .path("queue")
                .asInt())
        .isZero();
  }

  @Test
  void allShardsOfAllNodesAskForMemory() throws Exception {
    JsonNode _ = node.ok("PUT", "/wide", "{\"settings\":{\"number_of_shards\":60}}");
    String limit = "{\"persistent\":{\"indices.breaker.request.limit\":%s}}";
    JsonNode _ = node.ok("PUT", "/_cluster/settings", limit.formatted("\"600kb\""));

    HttpResponse<String> all = node.call("GET", "/_nodes/stats?level=shards", "");
    HttpResponse<String> sums = node.call("GET", "/_nodes/stats", "");

    JsonNode _ = node.ok("PUT", "/_cluster/settings", limit.formatted("null"));
    assertThat(all.statusCode()).isEqualTo(429);
    assertThat(sums.statusCode()).isEqualTo(200);
    assertThat(node.call("GET", "/_nodes/stats?level=shards", "").statusCode()).isEqualTo(200);
  }

  @Test
  void indexingPressureTellsOfWrites() throws Exception {
    JsonNode _ = node.ok("PUT", "/pressed/_doc/1", "{\"a\":1}");

    JsonNode memory = node.ok("GET", "/_nodes/stats/indexing_pressure", "").findValue("memory");

    assertThat(memory.at("/total/primary_in_bytes").asLong()).isPositive();
    assertThat(memory.at("/current/primary_in_bytes").asLong()).isZero();
    assertThat(memory.at("/total/primary_rejections").asInt()).isZero();
    assertThat(memory.at("/limit_in_bytes").asLong()).isPositive();
  }

  @Test
  void clusterStatsCountFieldTypesAndAnalysis() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/schema",
            """
            {"settings":{"analysis":{"filter":{"mine":{"type":"stop","stopwords":["a"]}},
              "analyzer":{"own":{"tokenizer":"keyword","filter":["trim","mine"]}}}},
             "mappings":{"properties":{"m":{"type":"text","analyzer":"french"},
              "v":{"type":"version"}}}}\
            """);

    JsonNode indices = node.ok("GET", "/_cluster/stats", "").path("indices");

    assertThat(count(indices.at("/mappings/field_types"), "version")).isEqualTo(1);
    assertThat(count(indices.at("/analysis/analyzer_types"), "custom")).isEqualTo(1);
    assertThat(count(indices.at("/analysis/filter_types"), "stop")).isEqualTo(1);
    assertThat(count(indices.at("/analysis/built_in_filters"), "trim")).isEqualTo(1);
    assertThat(count(indices.at("/analysis/built_in_filters"), "mine")).isZero();
    assertThat(count(indices.at("/analysis/built_in_tokenizers"), "keyword")).isEqualTo(1);
    assertThat(count(indices.at("/analysis/built_in_analyzers"), "french")).isEqualTo(1);
  }

  private static int count(JsonNode list, String name) {
    return one(list, name).path("count").asInt();
  }

  private static JsonNode one(JsonNode list, String name) {
    for (JsonNode one : list) {
      if (one.path("name").asText().equals(name)) {
        return one;
      }
    }
    return MissingNode.getInstance();
  }

  @Test
  void clusterStatsTellScriptsAndMappingsThatAreTheSame() throws Exception {
    JsonNode before = node.ok("GET", "/_cluster/stats", "").at("/indices/mappings");
    String body =
        """
        {"settings":{"index.mapping.source.mode":"synthetic"},
         "mappings":{"runtime":{"r":{"type":"double","script":"emit(doc['n'].value +\\n doc.n.value)"},
           "n":{"type":"double"}},
          "properties":{"n":{"type":"long"},"half":{"type":"double",
           "script":{"source":"emit(doc['n'].value / 2)"}}}}}\
        """;
    JsonNode _ = node.ok("PUT", "/scripted1", body);
    JsonNode _ = node.ok("PUT", "/scripted2", body);

    JsonNode mappings = node.ok("GET", "/_cluster/stats", "").at("/indices/mappings");

    JsonNode runtime = one(mappings.path("runtime_field_types"), "double");
    assertThat(runtime.path("count").asInt()).isEqualTo(4);
    assertThat(runtime.path("scriptless_count").asInt()).isEqualTo(2);
    assertThat(runtime.path("shadowed_count").asInt()).isEqualTo(2);
    assertThat(runtime.path("lang")).hasToString("[\"painless\"]");
    assertThat(runtime.path("lines_max").asInt()).isEqualTo(2);
    assertThat(runtime.path("doc_total").asInt()).isEqualTo(4);
    assertThat(one(mappings.path("field_types"), "double").path("script_count").asInt())
        .isEqualTo(2);
    assertThat(one(mappings.path("field_types"), "long").path("script_count").asInt()).isZero();
    assertThat(grown(before, mappings, "total_field_count")).isEqualTo(4);
    assertThat(grown(before, mappings, "total_deduplicated_field_count")).isEqualTo(2);
    assertThat(grown(before, mappings, "total_deduplicated_mapping_size_in_bytes")).isPositive();
    assertThat(grown(before.path("source_modes"), mappings.path("source_modes"), "synthetic"))
        .isEqualTo(2);
  }

  private static long grown(JsonNode before, JsonNode after, String name) {
    return after.path(name).asLong() - before.path(name).asLong();
  }

  @Test
  void statsOfAClosedIndexAreRefusedWhenItIsNamed() throws Exception {
    JsonNode _ = node.ok("PUT", "/shut", "");
    JsonNode _ = node.ok("POST", "/shut/_close", "");

    assertThat(node.refused(400, "GET", "/shut/_stats", "").at("/error/type").asText())
        .isEqualTo("index_closed_exception");
    JsonNode _ = node.ok("GET", "/shut/_stats?forbid_closed_indices=false", "");
    JsonNode _ = node.ok("GET", "/shu*/_stats", "");
  }

  @Test
  void statsByShardSayWhereEachIs() throws Exception {
    node.fill("placed", 3);

    JsonNode shard =
        node.ok("GET", "/placed/_stats/_all?level=shards", "").at("/indices/placed/shards/0/0");

    assertThat(shard.at("/routing/state").asText()).isEqualTo("STARTED");
    assertThat(shard.at("/routing/primary").asBoolean()).isTrue();
    assertThat(shard.at("/routing/node").asText()).isNotEmpty();
    assertThat(shard.at("/routing/relocating_node").isNull()).isTrue();
    assertThat(shard.at("/indexing/index_total").asLong()).isEqualTo(3);
  }

  @Test
  void flushesAreUploadsWhoeverAskedForThem() throws Exception {
    node.fill("moved", 4);
    long before = flushes();

    JsonNode _ = node.ok("POST", "/moved/_flush", "");
    JsonNode _ = node.ok("POST", "/moved/_flush?force=true", "");

    assertThat(flushes() - before).isEqualTo(2);
  }

  private static long flushes() throws Exception {
    return node.ok("GET", "/moved/_stats/flush", "").at("/_all/primaries/flush/total").asLong();
  }
}
