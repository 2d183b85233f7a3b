package dev.holdfast.api.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeClient;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What operators see of two nodes over one store.
@Timeout(60)
final class DiagnosticsTest {
  private static final World WORLD = RealWorld.create();
  private static final Duration GRACE = Duration.ofMillis(200);

  @RegisterExtension
  @Order(1)
  static final RunningNode node = RunningNode.withStore(GRACE);

  @RegisterExtension
  @Order(2)
  static final RunningNode other = node.beside(GRACE);

  @BeforeAll
  static void fill() throws Exception {
    write("1");
  }

  @AfterAll
  static void endTasks() {
    WORLD.tasks().close();
  }

  private static void write(String id) throws Exception {
    String body = "{\"index\":{\"_index\":\"books\",\"_id\":\"" + id + "\"}}\n{\"pages\":10}\n";
    assertThat(node.call("POST", "/_bulk?refresh=true", body).statusCode()).isEqualTo(200);
  }

  private static JsonNode until(String target, Predicate<JsonNode> condition) throws Exception {
    long deadline = WORLD.clock().nanoTime() + Duration.ofSeconds(20).toNanos();
    while (true) {
      JsonNode answer = node.json(target);
      if (condition.test(answer)) {
        return answer;
      }
      assertThat(WORLD.clock().nanoTime()).as(answer.toPrettyString()).isLessThan(deadline);
      WORLD.sleeper().sleep(Duration.ofMillis(20));
    }
  }

  @Test
  void everyNodeShowsAllShardsWithOwnerCopiesAndWhatIsNotUploaded() throws Exception {
    // given
    write("1");
    for (NodeClient asked : List.of(node, other)) {
      // when
      JsonNode shards = asked.json("/_holdfast/shards/books");
      // then
      JsonNode shard = shards.at("/shards/0");
      assertThat(shards.path("silent_nodes")).isEmpty();
      assertThat(shard.path("owner").asText()).isNotEmpty();
      assertThat(shard.at("/indexing/state").asText()).isEqualTo("open");
      assertThat(shard.at("/indexing/not_uploaded/commits").asInt()).isPositive();
      assertThat(shard.at("/indexing/recovery").has("millis")).isTrue();
      assertThat(shard.at("/copies/0/assigned").asText()).isEqualTo("STARTED");
      assertThat(shard.at("/copies/0/generation").asLong())
          .isEqualTo(shard.at("/indexing/generation").asLong());
      assertThat(shard.at("/copies/0/refresh_lag_millis").asLong()).isZero();
    }
  }

  /// Nodes are called alike unless somebody names them.
  @Test
  void aNameThatTwoNodesHaveEmptiesNeither() throws Exception {
    HttpResponse<String> refused = node.call("POST", "/_nodes/holdfast-0/_drain", "");

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("2 nodes are called [holdfast-0]: say which by its id");
    assertThat(node.json("/_holdfast/tiers").path("nodes"))
        .hasSize(2)
        .noneMatch(one -> one.path("is_draining").asBoolean());
  }

  @Test
  void commitsAreShownWhereTheyAre() throws Exception {
    // given
    node.call("PUT", "/stones/_doc/1?refresh=true", "{\"a\":1}");
    node.call("POST", "/stones/_flush", "");
    node.call("PUT", "/stones/_doc/2?refresh=true", "{\"a\":2}");
    // when
    JsonNode shard = other.json("/_holdfast/commits?index=stones&shard=0").at("/shards/0");
    // then
    JsonNode pending = shard.at("/not_uploaded/0");
    assertThat(pending.path("state").asText()).isEqualTo("collecting");
    assertThat(pending.at("/commits/0/documents").asInt()).isEqualTo(2);
    JsonNode uploaded = shard.at("/blobs/0");
    assertThat(uploaded.path("bytes").asLong()).isPositive();
    assertThat(uploaded.path("hot_region_bytes").asLong()).isPositive();
    assertThat(uploaded.at("/commits/0/generation").asLong())
        .isLessThan(pending.at("/commits/0/generation").asLong());
    for (String many : new String[] {"-1", "1001"}) {
      assertThat(other.call("GET", "/_holdfast/commits?blobs=" + many, "").body())
          .contains("[blobs] must be between 0 and [1000], found [" + many + "]");
    }
  }

  @Test
  void cachesStoresAndTiersOfAllNodesAreTold() throws Exception {
    JsonNode tiers = other.json("/_holdfast/tiers");
    JsonNode store = node.json("/_holdfast/store");
    JsonNode cache = node.json("/_holdfast/cache");

    assertThat(tiers.path("nodes")).hasSize(2);
    assertThat(tiers.at("/tiers/index")).hasSize(2);
    assertThat(tiers.path("nodes").findValues("load"))
        .allSatisfy(load -> assertThat(load.path("heap_used_bytes").asLong()).isPositive());
    assertThat(store.at("/by_purpose/translog/count").asLong()).isPositive();
    assertThat(store.path("nodes")).hasSize(2);
    assertThat(cache.path("nodes").findValues("capacity_bytes"))
        .hasSize(2)
        .allSatisfy(bytes -> assertThat(bytes.asLong()).isPositive());
  }

  @Test
  void nodesThatDoNotAnswerInTimeAreNamed() throws Exception {
    JsonNode tiers = node.json("/_holdfast/tiers?timeout=1nanos");

    assertThat(tiers.path("nodes")).hasSize(2);
    assertThat(tiers.path("silent_nodes"))
        .isNotEmpty()
        .allSatisfy(why -> assertThat(why.asText()).startsWith("no answer within"));
  }

  @Test
  void statisticsOfNodesAreThoseOfEach() throws Exception {
    JsonNode both = node.json("/_nodes/stats/indices,jvm");
    JsonNode local = other.json("/_nodes/_local/stats");

    assertThat(both.at("/_nodes/total").asInt()).isEqualTo(2);
    assertThat(both.path("nodes").findValues("heap_used_in_bytes"))
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(bytes -> assertThat(bytes.asLong()).isPositive());
    assertThat(both.path("nodes").findValues("query_cache"))
        .hasSize(2)
        .allSatisfy(cache -> assertThat(cache.has("cache_size")).isTrue());
    assertThat(local.path("nodes")).hasSize(1);
    assertThat(local.path("nodes").findValues("thread_pool")).hasSize(1);
  }

  @Test
  void tablesOfNodesTellOfAllWhicheverIsAsked() throws Exception {
    JsonNode pools =
        other.json(
            "/_cat/thread_pool/search,flush?format=json&h=id,pid,name,active,completed,type,size,ka");
    JsonNode breakers = other.json("/_cat/circuit_breaker/parent?format=json&h=id,limit_bytes");
    JsonNode nodes =
        other.json("/_cat/nodes?format=json&h=id,pid,jdk,hp,rp,cpu,load_1m,ap,fdc,dup,hm,dt");
    JsonNode disks = other.json("/_cat/allocation?format=json&h=node,disk.total,disk.percent");

    assertThat(pools).hasSize(4);
    assertThat(new TreeSet<>(pools.findValuesAsText("id"))).hasSize(2);
    assertThat(pools)
        .allSatisfy(pool ->
            assertThat(pool.path("type").asText())
                .isEqualTo(pool.path("name").asText().equals("search") ? "fixed" : "scaling"));
    assertThat(breakers).hasSize(2);
    assertThat(nodes).hasSize(2);
    assertThat(disks).hasSize(2);
    for (JsonNode table : List.of(pools, breakers, nodes, disks)) {
      for (JsonNode line : table) {
        line.properties().stream()
            .filter(cell -> !Set.of("size", "ka").contains(cell.getKey()))
            .forEach(cell -> assertThat(cell.getValue().isNull()).as(line.toString()).isFalse());
      }
    }
  }

  private static long requestsOfSearches(String kind) throws Exception {
    long count = 0;
    for (JsonNode requests : node.json("/_holdfast/store").findValues("requests")) {
      for (JsonNode one : requests) {
        boolean isMeant =
            one.path("purpose").asText().equals("search") && one.path("kind").asText().equals(kind);
        count += isMeant ? one.path("count").asLong() : 0;
      }
    }
    return count;
  }

  @Test
  void aPointInTimeCostsOnePutAndItsSearchesNone() throws Exception {
    // given
    node.call("PUT", "/costly", "{\"settings\":{\"number_of_shards\":4}}");
    for (int i = 0; i < 8; i++) {
      node.call("PUT", "/costly/_doc/" + i + "?refresh=true", "{\"a\":1}");
    }
    node.call("POST", "/costly/_flush", "");
    long puts = requestsOfSearches("put");
    long gets = requestsOfSearches("get");
    // when
    String pit = node.json("POST", "/costly/_pit?keep_alive=1m").path("id").asText();
    for (int i = 0; i < 20; i++) {
      String body = "{\"pit\":{\"id\":\"" + pit + "\",\"keep_alive\":\"1m\"}}";
      assertThat(node.call("POST", "/_search", body).statusCode()).isEqualTo(200);
    }
    // then
    assertThat(requestsOfSearches("put")).isEqualTo(puts + 1);
    assertThat(requestsOfSearches("get")).isEqualTo(gets);
    // when: it is wanted for longer than its pin says
    String longer = "{\"pit\":{\"id\":\"" + pit + "\",\"keep_alive\":\"2h\"}}";
    assertThat(node.call("POST", "/_search", longer).statusCode()).isEqualTo(200);
    // then
    long deadline = WORLD.clock().nanoTime() + Duration.ofSeconds(20).toNanos();
    while (requestsOfSearches("put") < puts + 2) {
      assertThat(WORLD.clock().nanoTime()).isLessThan(deadline);
      WORLD.sleeper().sleep(Duration.ofMillis(50));
    }
    assertThat(requestsOfSearches("put")).isEqualTo(puts + 2);
  }

  @Test
  void aBlobThatAPointInTimeReadsIsHeldUntilItIsClosed() throws Exception {
    // given
    node.call("PUT", "/held", "{\"settings\":{\"number_of_shards\":1}}");
    node.call("PUT", "/held/_doc/1?refresh=true", "{\"a\":1}");
    node.call("POST", "/held/_flush", "");
    String explain = "/_holdfast/gc/explain?index=held";
    String pit = node.json("POST", "/held/_pit?keep_alive=5m").path("id").asText();
    JsonNode before = node.json(explain);
    List<String> held = before.at("/shards/0/blobs").findValuesAsText("blob");
    String blob = held.getLast();
    // when: nothing but the point in time needs the blob any more
    node.call("PUT", "/held/_doc/1?refresh=true", "{\"a\":2}");
    node.call("POST", "/held/_flush", "");
    // then: it is there after the grace, and the copy and the pin are named
    JsonNode byCopy =
        until(
            explain,
            answer -> {
              List<String> by = holders(answer, blob);
              return by.size() == 2
                  && by.getFirst().startsWith("search copy on node ")
                  && by.getLast().startsWith("pin point in time ");
            });
    assertThat(byCopy.at("/shards/0/owner").asText()).isNotEmpty();
    WORLD.sleeper().sleep(Duration.ofMillis(500));
    assertThat(node.json(explain).at("/shards/0/blobs").findValuesAsText("blob")).contains(blob);
    // when
    String closing = "{\"id\":\"" + pit + "\"}";
    assertThat(node.call("DELETE", "/_pit", closing).statusCode()).isEqualTo(200);
    // then
    var _ =
        until(
            explain,
            answer -> !answer.at("/shards/0/blobs").findValuesAsText("blob").contains(blob));
    assertThat(node.json("/held/_doc/1").at("/_source/a").asInt()).isEqualTo(2);
  }

  private static List<String> holders(JsonNode answer, String blob) {
    List<String> holders = new ArrayList<>();
    for (JsonNode one : answer.at("/shards/0/blobs")) {
      if (one.path("blob").asText().equals(blob)) {
        one.path("held_by").forEach(holder -> holders.add(holder.asText()));
      }
    }
    return holders;
  }

  @Test
  void aPendingUploadAndTheLogFilesItNeedsAreExplained() throws Exception {
    write("3");

    JsonNode explained = other.json("/_holdfast/gc/explain");

    assertThat(explained.findValuesAsText("verdict")).contains("not in the store yet", "held");
    assertThat(explained.path("log_files").findValues("needed_by").toString())
        .contains("[books][0]");
    assertThat(explained.path("sweep").has("orphans")).isTrue();
  }

  @Test
  void metricsFollowTheFormat() throws Exception {
    PrometheusText metrics = PrometheusText.parse(node.get("/_prometheus/metrics").body());

    assertThat(metrics.types())
        .containsEntry("holdfast_store_dollars_total", "counter")
        .containsEntry("holdfast_translog_seconds", "histogram")
        .containsEntry("holdfast_upload_bytes", "histogram")
        .containsEntry("holdfast_recovery_seconds", "histogram")
        .containsEntry("holdfast_refresh_lag_seconds", "histogram")
        .containsEntry("holdfast_cache_answered_ratio", "gauge")
        .containsEntry("holdfast_jvm_heap_used_bytes", "gauge");
    assertThat(
            metrics.value("holdfast_store_requests_total{purpose=\"cluster_state\",kind=\"put\"}"))
        .isPositive();
  }
}
