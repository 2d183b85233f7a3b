package dev.holdfast.api.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
    try (NodeFixture node = new NodeFixture(folder, PRICES)) {
      node.call("PUT", "/books/_doc/1?refresh=true", "{\"title\":\"one\"}");
      node.call("POST", "/books/_flush", "");
      JsonNode cost = cost(node);
      while (cost.at("/by_index/books/requests").asLong() == 0) {
        Thread.sleep(500);
        cost = cost(node);
      }
      assertThat(cost.at("/prices/gigabyte_month").asDouble()).isEqualTo(0.02);
      assertThat(cost.at("/by_purpose/translog/dollars").asDouble())
          .isCloseTo(cost.at("/by_purpose/translog/requests").asLong() * 5e-6, within(1e-9));
      assertThat(cost.path("days")).hasSizeBetween(1, 2);
      assertThat(cost.path("nodes")).hasSize(1);
      assertThat(cost.has("budget")).isFalse();
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
  void writesWaitForTheBudgetAndAreTold() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, PRICES)) {
      node.call("PUT", "/books", "");
      assertThat(budget(node, "8")).contains("\"acknowledged\":true");
      for (int i = 0; i < 4; i++) {
        assertThat(node.call("PUT", "/books/_doc/" + i, "{\"n\":" + i + "}").statusCode())
            .isEqualTo(201);
      }
      JsonNode cost = cost(node);
      JsonNode pace = cost.path("nodes").elements().next();
      assertThat(pace.path("dollars_a_month").asDouble())
          .isPositive()
          .isLessThanOrEqualTo(8.0 + 1e-6);
      assertThat(pace.at("/waits/log_file/held").asLong()).isPositive();
      assertThat(pace.at("/waits/log_file/longest_seconds").asDouble()).isBetween(0.1, 6.0);
      assertThat(cost.at("/budget/dollars_a_month").asDouble()).isEqualTo(8.0);
      assertThat(node.json("/books/_doc/3").at("/_source/n").asInt()).isEqualTo(3);
    }
    assertThat(Files.exists(folder.resolve("store"))).isTrue();
  }
}
