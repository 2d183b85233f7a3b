package dev.holdfast.api.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Requests that name the node which they are about.
final class NamedNodesTest {
  @RegisterExtension
  @Order(1)
  static final RunningNode node = RunningNode.withStore(Duration.ofMillis(200));

  @RegisterExtension
  @Order(2)
  static final RunningNode other = node.beside(Duration.ofMillis(200));

  private static String idOf(RunningNode one) throws Exception {
    return one.ok("GET", "/_nodes/_local", "").path("nodes").fieldNames().next();
  }

  @Test
  void areAboutThatNodeWhoeverIsAsked() throws Exception {
    String there = idOf(node);

    JsonNode usage = other.ok("GET", "/_nodes/" + there + "/usage/rest_actions", "");
    JsonNode reloaded = other.ok("POST", "/_nodes/" + there + "/reload_secure_settings", "");
    String hot = other.get("/_nodes/" + there + "/hot_threads?interval=20ms").body();

    assertThat(idOf(other)).isNotEqualTo(there);
    assertThat(usage.path("nodes").fieldNames()).toIterable().containsExactly(there);
    assertThat(usage.at("/nodes/" + there).has("aggregations")).isFalse();
    assertThat(reloaded.path("nodes").fieldNames()).toIterable().containsExactly(there);
    assertThat(hot).contains(there);
  }

  @Test
  void areAboutNoneWhereThereIsNone() throws Exception {
    JsonNode usage = node.ok("GET", "/_nodes/nobody/usage", "");

    assertThat(usage.path("nodes")).isEmpty();
    assertThat(usage.at("/_nodes/total").asInt()).isZero();
    assertThat(node.get("/_nodes/nobody/hot_threads").body()).isEmpty();
  }

  @Test
  void areAboutAllWhenTheyNameNoneOrSeveral() throws Exception {
    List<String> ids = List.of(idOf(node), idOf(other));

    for (String names : List.of("", "/" + String.join(",", ids), "/_all", "/master:true")) {
      String path = "/_nodes" + names;
      JsonNode usage = node.ok("GET", path + "/usage", "");
      JsonNode reloaded = other.ok("POST", path + "/reload_secure_settings", "");
      String hot = other.get(path + "/hot_threads?interval=20ms").body();

      assertThat(usage.at("/_nodes/total").asInt()).as(names).isEqualTo(2);
      assertThat(usage.at("/_nodes/successful").asInt()).as(names).isEqualTo(2);
      assertThat(usage.path("nodes").fieldNames()).toIterable().containsAll(ids);
      assertThat(reloaded.path("nodes").fieldNames()).toIterable().containsAll(ids);
      assertThat(hot).contains(ids);
    }
    assertThat(node.ok("GET", "/_nodes/_local,nobody/usage", "").path("nodes").fieldNames())
        .toIterable()
        .containsExactly(ids.getFirst());
    assertThat(node.refused(400, "GET", "/_nodes/usage/banana", "").toString())
        .contains("contains unrecognized metric: [banana]");
  }

  @Test
  void theLeaderIsNamedWhoeverIsAsked() throws Exception {
    String leader = node.ok("GET", "/_cluster/state/master_node", "").path("master_node").asText();

    for (RunningNode asked : List.of(node, other)) {
      JsonNode info = asked.ok("GET", "/_nodes/_master", "");
      JsonNode stats = asked.ok("GET", "/_nodes/_master/stats/http", "");

      assertThat(info.path("nodes").fieldNames()).toIterable().containsExactly(leader);
      assertThat(stats.path("nodes").fieldNames()).toIterable().containsExactly(leader);
    }
  }

  @Test
  void rolesAreTakenAway() throws Exception {
    assertThat(node.ok("GET", "/_nodes/_all,ingest:false", "").path("nodes")).isEmpty();
    assertThat(node.ok("GET", "/_nodes/_all,ml:false", "").path("nodes")).hasSize(2);
    assertThat(node.ok("GET", "/_nodes/ml:true,master:true", "").path("nodes")).hasSize(2);
  }
}
