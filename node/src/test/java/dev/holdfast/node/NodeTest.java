package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.real.RealWorld;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// One node from end to end: what it says of itself while it indexes and searches.
final class NodeTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    String bulk =
        """
        {"index":{"_index":"books","_id":"1"}}
        {"title":"the quick fox","pages":10}
        {"index":{"_index":"books","_id":"2"}}
        {"title":"the lazy dog","pages":20}
        """;
    assertThat(node.call("POST", "/_bulk?refresh=true", bulk).statusCode()).isEqualTo(200);
  }

  @Test
  void shakesHandsWithClients() throws Exception {
    HttpResponse<String> answer = node.get("/");
    JsonNode body = node.json("/");

    assertThat(answer.headers().firstValue("X-Elastic-Product")).hasValue("Elasticsearch");
    assertThat(body.at("/version/number").asText()).startsWith("9.");
    assertThat(body.at("/version/build_flavor").asText()).isEqualTo("serverless");
    assertThat(body.at("/version/lucene_version").asText()).isEqualTo("10.5.0");
    assertThat(body.at("/tagline").asText()).isEqualTo("You Know, for Search");
    assertThat(body.at("/cluster_uuid").asText()).hasSize(22);
    assertThat(node.call("HEAD", "/", "").body()).isEmpty();
  }

  @Test
  void findsWhatWasIndexedAndFindsItAgainAfterARestart(@TempDir Path other) throws Exception {
    try (NodeFixture first = new NodeFixture(other)) {
      first.call("PUT", "/stones/_doc/1", "{\"kind\":\"basalt\"}");
    }
    try (NodeFixture second = new NodeFixture(other)) {
      assertThat(second.json("/stones/_doc/1").at("/_source/kind").asText()).isEqualTo("basalt");
      second.call("POST", "/stones/_refresh", "");
      assertThat(second.json("/stones/_search").at("/hits/total/value").asInt()).isEqualTo(1);
    }
  }

  @Test
  void readsDocumentsOfAnIndexThatKeepsNoSource(@TempDir Path other) throws Exception {
    try (NodeFixture own = new NodeFixture(other)) {
      own.call("PUT", "/i", "{\"mappings\":{\"_source\":{\"enabled\":false}}}");
      own.call("POST", "/i/_update/1", "{\"doc\":{\"a\":1},\"doc_as_upsert\":true}");

      JsonNode got = own.json("/i/_doc/1");
      HttpResponse<String> source = own.get("/i/_source/1");
      HttpResponse<String> update = own.call("POST", "/i/_update/1", "{\"doc\":{\"a\":2}}");

      assertThat(got.at("/found").asBoolean()).isTrue();
      assertThat(got.has("_source")).isFalse();
      assertThat(source.statusCode()).isEqualTo(404);
      assertThat(source.body()).contains("Source not found [i]/[1]");
      assertThat(update.statusCode()).isEqualTo(400);
      assertThat(update.body()).contains("document_source_missing_exception");
    }
  }

  @Test
  void tellsItsHealth() throws Exception {
    JsonNode health = node.json("/_cluster/health/books?level=shards&wait_for_status=green");

    assertThat(health.at("/status").asText()).isEqualTo("green");
    assertThat(health.at("/timed_out").asBoolean()).isFalse();
    assertThat(health.at("/indices/books/shards/0/primary_active").asBoolean()).isTrue();
    HttpResponse<String> missing = node.get("/_cluster/health/nowhere?timeout=50ms");
    assertThat(missing.statusCode()).isEqualTo(408);
    assertThat(missing.body()).contains("\"status\":\"red\"");
  }

  @Test
  void keepsClusterSettings() throws Exception {
    String both =
        "{\"persistent\":{\"action.auto_create_index\":\"books*\"},"
            + "\"transient\":{\"logger\":{\"org.x\":\"DEBUG\"}}}";
    HttpResponse<String> put = node.call("PUT", "/_cluster/settings?flat_settings", both);

    assertThat(put.body())
        .isEqualTo(
            "{\"acknowledged\":true,\"persistent\":{\"action.auto_create_index\":\"books*\"},"
                + "\"transient\":{\"logger.org.x\":\"DEBUG\"}}");
    assertThat(node.json("/_cluster/settings").at("/persistent/action/auto_create_index").asText())
        .isEqualTo("books*");
    node.call(
        "PUT",
        "/_cluster/settings",
        both.replace("\"books*\"", "null").replace("\"DEBUG\"", "null"));
    assertThat(node.get("/_cluster/settings").body())
        .isEqualTo("{\"persistent\":{},\"transient\":{}}");
    HttpResponse<String> unknown =
        node.call(
            "PUT", "/_cluster/settings", "{\"persistent\":{\"action.auto_creat_index\":true}}");
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(unknown.body())
        .contains("persistent setting [action.auto_creat_index], not recognized")
        .contains("did you mean [action.auto_create_index]?");
  }

  @Test
  void showsTheClusterState() throws Exception {
    JsonNode state = node.json("/_cluster/state/metadata,routing_table,master_node/books");

    assertThat(state.at("/metadata/indices/books/state").asText()).isEqualTo("open");
    assertThat(state.at("/routing_table/indices/books/shards/0/0/state").asText())
        .isEqualTo("STARTED");
    assertThat(state.has("master_node")).isTrue();
    assertThat(state.has("nodes")).isFalse();
    assertThat(node.get("/_cluster/state/metdata").statusCode()).isEqualTo(400);
  }

  @Test
  void countsWhatItDoes() throws Exception {
    JsonNode stats = node.json("/_nodes/stats").path("nodes").elements().next();

    assertThat(stats.at("/indices/docs/count").asInt()).isEqualTo(2);
    assertThat(stats.at("/jvm/mem/heap_max_in_bytes").asLong()).isPositive();
    assertThat(stats.at("/thread_pool/search/threads").asInt()).isPositive();
    assertThat(stats.at("/http/total_requests").asLong()).isPositive();
    assertThat(stats.at("/breakers/inflight_requests/limit_size_in_bytes").asLong()).isPositive();
    assertThat(stats.at("/process/open_file_descriptors").asLong()).isPositive();
    assertThat(node.json("/_nodes/nobody/stats").at("/_nodes/total").asInt()).isZero();
    assertThat(node.json("/_nodes/jvm").path("nodes").elements().next().has("os")).isFalse();
    assertThat(node.json("/_cluster/stats").at("/indices/docs/count").asInt()).isEqualTo(2);
    assertThat(node.get("/_prometheus/metrics").body())
        .contains("# TYPE holdfast_store_requests_total counter")
        .containsPattern("holdfast_store_requests_total\\{purpose=\"translog\",kind=\"put\"} [1-9]")
        .containsPattern("holdfast_documents 2");
  }

  @Test
  void showsTables() throws Exception {
    assertThat(node.get("/_cat/indices?v&h=health,index,docs.count").body())
        .isEqualTo("health index docs.count\ngreen  books          2\n");
    assertThat(node.get("/_cat/indices?format=json&h=index,pri").body())
        .isEqualTo("[{\"index\":\"books\",\"pri\":\"1\"}]");
    assertThat(node.get("/_cat/shards?h=index,shard,prirep,state").body())
        .isEqualTo("books 0 p STARTED\n");
    assertThat(node.get("/_cat/count/books?h=count").body()).isEqualTo("2\n");
    assertThat(node.get("/_cat/nodes?h=heap.max&bytes=b").body()).matches("\\d+\n");
    assertThat(node.get("/_cat/health?help").body()).contains("status").contains(" | ");
    assertThat(node.get("/_cat/indices?s=nothing").body())
        .contains("Unable to sort by unknown sort key `nothing`");
  }

  @Test
  void saysInOneLineWhyItDoesNotStart(@TempDir Path other) throws Exception {
    NodeSettings settings = NodeSettings.defaults(other);
    Files.writeString(other.resolve("file"), "");

    assertThat(failure(settings.at(node.port(), "memory:")))
        .isEqualTo("port " + node.port() + " is taken on 127.0.0.1: choose another with --port");
    assertThat(failure(NodeSettings.defaults(node.folder()).at(0, "memory:")))
        .startsWith("the data folder is in use by another holdfast process");
    assertThat(failure(NodeSettings.defaults(other.resolve("file")).at(0, "memory:")))
        .startsWith("the data folder is not writable");
    assertThat(failure(settings.at(0, "ftp://x")))
        .startsWith("store cannot be used: unknown kind of store [ftp://x]");
  }

  private static String failure(NodeSettings settings) {
    String[] line = new String[1];
    assertThatThrownBy(
            () -> {
              try (Node unwanted = Node.start(settings, RealWorld.create(), why -> {})) {
                line[0] = "started on " + unwanted.identity().address();
              }
            })
        .satisfies(failure -> line[0] = StartFailure.sentence(failure));
    return String.valueOf(line[0]);
  }
}
