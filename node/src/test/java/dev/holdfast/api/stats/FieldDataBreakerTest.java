package dev.holdfast.api.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Columns of runtime fields take memory of a budget that is shown and can be set.
final class FieldDataBreakerTest {
  private static final String SORTED =
      "{\"sort\":\"late\",\"size\":1,\"query\":{\"range\":{\"late\":{\"gte\":3}}},"
          + "\"aggs\":{\"t\":{\"terms\":{\"field\":\"late\"}}}}";

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static JsonNode breaker() throws Exception {
    JsonNode nodes = node.json("/_nodes/stats/breaker").path("nodes");
    return nodes.elements().next().path("breakers").path("fielddata");
  }

  private static void limit(String limit) throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.fielddata.limit\":" + limit + "}}");
  }

  @Test
  void columnsOfRuntimeFieldsAskIt() throws Exception {
    String mapping = "{\"mappings\":{\"runtime\":{\"late\":{\"type\":\"long\"}}}}";
    node.ok("PUT", "/books", mapping);
    node.ok("PUT", "/others", mapping);
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      bulk.append("{\"index\":{}}\n{\"late\":").append(i).append("}\n");
    }
    node.ok("POST", "/books/_bulk?refresh=true", bulk.toString());
    node.ok("POST", "/others/_bulk?refresh=true", bulk.toString());
    assertThat(breaker().path("limit_size_in_bytes").asLong())
        .isEqualTo((long) (Runtime.getRuntime().maxMemory() * 0.4));
    assertThat(breaker().path("estimated_size_in_bytes").asLong()).isZero();

    for (int i = 0; i < 3; i++) {
      node.ok("POST", "/books/_search", SORTED);
    }
    long held = breaker().path("estimated_size_in_bytes").asLong();
    assertThat(held).isGreaterThan(2_000);
    assertThat(node.get("/_cat/circuit_breaker?h=breaker").body())
        .contains("fielddata", "inflight_requests", "request", "parent");

    limit("\"" + held / 2 + "b\"");
    JsonNode refused = null;
    for (int i = 0; i < 3; i++) {
      JsonNode answer = node.json("POST", "/others/_search", SORTED);
      refused = answer.has("error") ? answer : refused;
    }
    assertThat(refused).isNotNull();
    assertThat(refused.path("status").asInt()).isEqualTo(429);
    assertThat(refused.toString())
        .contains("circuit_breaking_exception", "[fielddata] Data too large, data for [late]");
    assertThat(breaker().path("tripped").asLong()).isPositive();
    // What nobody used had gone before.
    assertThat(breaker().path("estimated_size_in_bytes").asLong()).isLessThan(held);

    limit("null");
    for (int i = 0; i < 3; i++) {
      node.ok("POST", "/others/_search", SORTED);
    }
    assertThat(breaker().path("estimated_size_in_bytes").asLong()).isGreaterThan(2_000);
  }
}
