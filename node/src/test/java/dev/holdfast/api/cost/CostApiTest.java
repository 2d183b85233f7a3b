package dev.holdfast.api.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a node says that its store costs, and how a budget makes writes wait.
@Timeout(120)
final class CostApiTest {
  private static final Map<String, String> PRICES =
      Map.of(
          "store.price.writes", "0.005", "store.price.reads", "0.0004", "store.price.kept", "0.02");

  @TempDir private Path folder = Path.of("");

  private static JsonNode cost(NodeFixture node) throws Exception {
    while (true) {
      var answer = node.call("GET", "/_holdfast/cost", "");
      if (answer.statusCode() == 200) {
        return node.json("/_holdfast/cost");
      }
      assertThat(answer.body()).contains("the leader has just begun to lead");
      Thread.sleep(200);
    }
  }

  private static String budget(NodeFixture node, String value) throws Exception {
    return node.call(
            "PUT", "/_cluster/settings", "{\"persistent\":{\"store.budget\":" + value + "}}")
        .body();
  }

  @Test
  void requestsAreToldByPurposeIndexAndDayAndGoOnAfterAStart() throws Exception {
    JsonNode first;
    try (NodeFixture node = new NodeFixture(folder, PRICES)) {
      node.call("PUT", "/books/_doc/1?refresh=true", "{\"title\":\"one\"}");
      node.call("POST", "/books/_flush", "");
      first = cost(node);
      while (first.at("/by_index/books/requests").asLong() == 0
          || !Files.exists(folder.resolve("store/cost/ledger+register"))) {
        Thread.sleep(200);
        first = cost(node);
      }
      assertThat(first.at("/prices/gigabyte_month").asDouble()).isEqualTo(0.02);
      assertThat(first.at("/by_purpose/translog/dollars").asDouble())
          .isCloseTo(first.at("/by_purpose/translog/requests").asLong() * 5e-6, within(1e-9));
      assertThat(first.path("days")).hasSizeBetween(1, 2);
      assertThat(first.path("nodes")).hasSize(1);
      assertThat(first.has("budget")).isFalse();
    }
    try (NodeFixture node = new NodeFixture(folder, PRICES)) {
      JsonNode second = cost(node);
      assertThat(second.path("since")).isEqualTo(first.path("since"));
      assertThat(second.at("/by_purpose/commit_upload/requests").asLong())
          .isGreaterThanOrEqualTo(first.at("/by_purpose/commit_upload/requests").asLong());
      assertThat(second.at("/by_index/books/requests").asLong()).isPositive();
    }
  }

  @Test
  void budgetsThatNobodyCanKeepAreRefusedAndChangeNothing() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, PRICES)) {
      for (String bad : new String[] {"0", "-1", "\"NaN\"", "\"5d\"", "\"1e3\"", "\"\"", "true"}) {
        assertThat(budget(node, bad))
            .contains("\"status\":400")
            .contains("dollars a month above 0");
      }
      assertThat(budget(node, "2"))
          .contains("\"status\":400")
          .contains("a cluster that is written to");
      assertThat(node.json("/_cluster/settings").path("persistent")).isEmpty();
      assertThat(budget(node, "20")).contains("\"acknowledged\":true");
      assertThat(budget(node, "null")).contains("\"acknowledged\":true");
    }
  }

  @Test
  void aStoreThatCostsNothingHasNoBudget() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      assertThat(budget(node, "20"))
          .contains("\"status\":400")
          .contains("requests to this store cost nothing");
    }
  }

  @Test
  void aFolderHasNoStorageClasses() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, PRICES)) {
      for (String name : new String[] {"STANDARD_IA", "Cool", "NEARLINE"}) {
        String body = "{\"persistent\":{\"store.storage_class\":\"" + name + "\"}}";
        assertThat(node.call("PUT", "/_cluster/settings", body).body())
            .contains("\"status\":400")
            .contains("this store has no storage classes");
      }
      String early = "{\"persistent\":{\"store.storage_class_after\":\"1h\"}}";
      assertThat(node.call("PUT", "/_cluster/settings", early).body())
          .contains("\"status\":400")
          .contains("must be >= 1d");
      assertThat(node.json("/_cluster/settings").path("persistent")).isEmpty();
      assertThat(cost(node).has("storage_class")).isFalse();
    }
  }

  @Test
  void writesWaitForTheBudgetAndAreTold() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, PRICES)) {
      node.call("PUT", "/books", "");
      assertThat(budget(node, "20")).contains("\"acknowledged\":true");
      for (int i = 0; i < 4; i++) {
        assertThat(node.call("PUT", "/books/_doc/" + i, "{\"n\":" + i + "}").statusCode())
            .isEqualTo(201);
      }
      JsonNode cost = cost(node);
      JsonNode pace = cost.path("nodes").elements().next();
      assertThat(pace.path("dollars_a_month").asDouble())
          .isPositive()
          .isLessThanOrEqualTo(20.0 + 1e-6);
      assertThat(pace.at("/waits/log_file/held").asLong()).isPositive();
      assertThat(pace.at("/waits/log_file/longest_seconds").asDouble()).isBetween(0.1, 6.0);
      assertThat(cost.at("/budget/dollars_a_month").asDouble()).isEqualTo(20.0);
      assertThat(node.json("/books/_doc/3").at("/_source/n").asInt()).isEqualTo(3);
      assertThat(node.call("GET", "/_prometheus/metrics", "").body())
          .containsPattern("holdfast_budget_share_dollars_per_month (1[0-9]|20)(\\.|\n)")
          .containsPattern("holdfast_budget_spent_dollars_total\\{waits=\"can\"} [0-9.E-]*[1-9]")
          .containsPattern("holdfast_budget_held_total\\{request=\"log_file\"} [1-9]")
          .contains("holdfast_budget_wait_seconds_count{request=\"log_file\"}")
          .contains("holdfast_budget_overdue_total{request=\"upload\"} 0");
    }
  }

  private NodeFixture node(String name) throws Exception {
    Map<String, String> settings = new TreeMap<>(PRICES);
    settings.put("store", "file:" + folder.resolve("shared"));
    return new NodeFixture(folder.resolve(name), settings);
  }

  /// Whoever writes gets what the other does not need, and never both more than there is.
  @Test
  void twoNodesShareTheBudget() throws Exception {
    try (NodeFixture one = node("one");
        NodeFixture other = node("other")) {
      one.call("PUT", "/books", "{\"settings\":{\"number_of_shards\":1}}");
      assertThat(budget(one, "20")).contains("\"acknowledged\":true");
      for (int i = 0; ; i++) {
        int status = one.call("PUT", "/books/_doc/" + i, "{\"n\":" + i + "}").statusCode();
        assertThat(status).isEqualTo(201);
        List<Double> shares = new ArrayList<>();
        for (JsonNode pace : cost(other).path("nodes")) {
          shares.add(pace.path("dollars_a_month").asDouble());
        }
        if (shares.size() == 2) {
          assertThat(shares.get(0) + shares.get(1)).isLessThan(22);
          if (Collections.max(shares) > 15) {
            return; // it was 10 and 10
          }
        }
      }
    }
  }
}
