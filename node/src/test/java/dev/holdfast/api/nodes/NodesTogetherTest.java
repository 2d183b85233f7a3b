package dev.holdfast.api.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What `_cluster/stats` and `_info` say of two nodes: both together, whoever is asked.
final class NodesTogetherTest {
  @RegisterExtension
  @Order(1)
  static final RunningNode node = RunningNode.withStore(Duration.ofMillis(200));

  @RegisterExtension
  @Order(2)
  static final RunningNode other = node.beside(Duration.ofMillis(200));

  @Test
  void machinesAreAddedUp() throws Exception {
    JsonNode stats = other.ok("GET", "/_cluster/stats", "");

    JsonNode nodes = stats.path("nodes");
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(stats.at("/_nodes/successful").asInt()).isEqualTo(2);
    assertThat(nodes.at("/count/total").asInt()).isEqualTo(2);
    assertThat(nodes.at("/count/data").asInt()).isEqualTo(2);
    assertThat(nodes.at("/os/available_processors").asInt()).isEqualTo(2 * processors);
    assertThat(nodes.at("/os/names/0/count").asInt()).isEqualTo(2);
    assertThat(nodes.at("/jvm/versions")).hasSize(1);
    assertThat(nodes.at("/jvm/versions/0/count").asInt()).isEqualTo(2);
    assertThat(nodes.at("/jvm/mem/heap_max_in_bytes").asLong())
        .isEqualTo(2 * Runtime.getRuntime().maxMemory());
    assertThat(nodes.at("/network_types/http_types/http").asInt()).isEqualTo(2);
    assertThat(nodes.at("/packaging_types/0/count").asInt()).isEqualTo(2);
  }

  @Test
  void thoseThatAPathNamesAreMeant() throws Exception {
    String there = node.ok("GET", "/_nodes/_local", "").path("nodes").fieldNames().next();

    JsonNode one = other.ok("GET", "/_cluster/stats/nodes/" + there, "");
    JsonNode none = other.ok("GET", "/_cluster/stats/nodes/nobody", "");

    assertThat(one.at("/nodes/count/total").asInt()).isEqualTo(1);
    assertThat(none.at("/nodes/count/total").asInt()).isZero();
    assertThat(none.at("/nodes/os/mem/total_in_bytes").asLong()).isZero();
  }

  @Test
  void stepsOfPipelinesAreAddedUpByTheirKind() throws Exception {
    node.ok(
        "PUT",
        "/_ingest/pipeline/p",
        "{\"processors\":[{\"set\":{\"field\":\"a\",\"value\":1}},{\"set\":{\"field\":\"b\",\"value\":1}}]}");
    node.ok("PUT", "/counted", "");
    node.ok("PUT", "/counted/_doc/1?pipeline=p", "{}");
    other.ok("PUT", "/counted/_doc/2?pipeline=p", "{}");

    JsonNode stats = other.ok("GET", "/_cluster/stats", "");
    JsonNode info = other.ok("GET", "/_info/ingest,http?human=true", "");

    assertThat(stats.at("/nodes/ingest/processor_stats/set/count").asInt()).isEqualTo(4);
    assertThat(info.at("/ingest/total/count").asInt()).isEqualTo(2);
    assertThat(info.at("/ingest/pipelines/p/processors/0/set/stats/count").asInt()).isEqualTo(2);
    assertThat(info.at("/ingest/total").has("time")).isTrue();
    assertThat(info.at("/http/total_requests").asLong()).isPositive();
    assertThat(info.has("thread_pool")).isFalse();
  }

  @Test
  void searchesAreCountedByWhatTheyAreMadeOf() throws Exception {
    node.ok("PUT", "/searched", "");
    node.ok(
        "POST",
        "/searched/_search",
        """
        {"size":3,"query":{"bool":{"filter":[{"term":{"a":1}},{"term":{"b":1}}]}},
         "aggregations":{"n":{"max":{"field":"a"}}},
         "rescore":{"window_size":3,"query":{"rescore_query":{"match_all":{}}}}}\
        """);
    other.ok(
        "POST",
        "/searched/_search",
        "{\"query\":{\"term\":{\"a\":1}},\"_source\":true,\"stats\":[]}");
    other.ok("POST", "/searched/_msearch", "{}\n{\"post_filter\":{\"match_all\":{}}}\n");
    other.ok("POST", "/searched/_search?scroll=1m", "{\"query\":{\"match_all\":{}}}");
    other.ok(
        "POST",
        "/searched/_search",
        """
        {"retriever":{"rrf":{"retrievers":[
          {"standard":{"query":{"term":{"a":1}},"filter":{"exists":{"field":"a"}}}},
          {"standard":{"query":{"match_all":{}}}}]}}}\
        """);
    other.ok("GET", "/searched/_search?q=a:1", "");
    other.refused(400, "POST", "/searched/_search", "{\"query\":{\"nothing\":{}}}");

    JsonNode search = node.ok("GET", "/_cluster/stats", "").at("/indices/search");

    assertThat(search.path("total").asInt()).isEqualTo(5);
    assertThat(search.path("queries"))
        .isEqualTo(Json.parse("{\"bool\":1,\"match_all\":3,\"term\":3}"));
    assertThat(search.path("rescorers")).hasToString("{\"query\":1}");
    assertThat(search.path("retrievers")).isEqualTo(Json.parse("{\"rrf\":1,\"standard\":1}"));
    assertThat(search.path("sections"))
        .isEqualTo(
            Json.parse("{\"aggs\":1,\"post_filter\":1,\"query\":3,\"rescore\":1,\"retriever\":1}"));
    JsonNode none = node.ok("GET", "/_cluster/stats/nodes/nobody", "").at("/indices/search");
    assertThat(none.path("total")).hasToString("0");
    assertThat(none.path("queries").isObject()).isTrue();
  }
}
