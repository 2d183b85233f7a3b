package dev.holdfast.api.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What two nodes tell of their tiers.
@Timeout(60)
final class AutoscalingApiTest {
  private static final Duration GRACE = Duration.ofMillis(200);
  private static final int TRIES_MAX = 1_000;

  @RegisterExtension
  @Order(1)
  static final RunningNode node = RunningNode.withStore(GRACE);

  @RegisterExtension
  @Order(2)
  static final RunningNode other = node.beside(GRACE);

  @Test
  void eachTierShowsWhatItsNodesSayAndWhatThatAsksFor() throws Exception {
    JsonNode seen = other.json("/_holdfast/autoscaling");
    assertThat(seen.path("silent_nodes")).isEmpty();
    assertThat(seen.path("provisioner").asText()).isEqualTo("none");
    for (String name : new String[] {"index", "search"}) {
      JsonNode tier = seen.at("/tiers/" + name);
      assertThat(tier.path("current_nodes").asInt()).isEqualTo(2);
      assertThat(tier.path("wanted_nodes").asInt()).as("quiet: nothing grows").isEqualTo(2);
      assertThat(tier.path("nodes"))
          .hasSize(2)
          .allSatisfy(load -> {
            assertThat(load.path("is_credible").asBoolean()).isTrue();
            assertThat(load.path("threads").asInt()).isPositive();
            assertThat(load.path("load").asDouble(-1)).isNotNegative();
          });
      assertThat(tier.at("/signals/0/why").asText()).contains("threads busy");
      assertThat(tier.path("explanation")).isNotEmpty();
    }
  }

  @Test
  void aNodeThatSaysNothingIsNamedAndMakesNothingSmaller() throws Exception {
    JsonNode seen = node.json("/_holdfast/autoscaling?timeout=1nanos");
    for (int i = 0; seen.path("silent_nodes").isEmpty() && i < TRIES_MAX; i++) {
      seen = node.json("/_holdfast/autoscaling?timeout=1nanos"); // all had answered by then
    }
    assertThat(seen.path("silent_nodes")).isNotEmpty();
    assertThat(seen.at("/tiers/index/wanted_nodes").asInt()).isEqualTo(2);
    assertThat(seen.at("/tiers/index/explanation/0").asText())
        .startsWith("nothing is made smaller:");
  }

  @Test
  void moreNodesThanThereCanBeAreRefused() throws Exception {
    for (String name : new String[] {"index.min_nodes", "search.max_nodes"}) {
      String body = "{\"persistent\":{\"autoscaling." + name + "\":1001}}";
      var refused = node.call("PUT", "/_cluster/settings", body);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
      assertThat(refused.body()).contains("[autoscaling." + name + "] must be <= 1000");
    }
  }

  @Test
  void theLeaderExplainsWhatItDecidedToWhoeverIsAsked() throws Exception {
    JsonNode seen = explained();
    while (!seen.has("tiers")) { // the leader decides every few seconds
      Thread.sleep(100);
      seen = explained();
    }
    assertThat(seen.path("provisioner_failure").isNull()).isTrue();
    JsonNode index = seen.at("/tiers/index");
    assertThat(index.path("wanted_nodes").asInt()).isEqualTo(index.path("current_nodes").asInt());
    assertThat(index.at("/limits/max_nodes").asInt()).isEqualTo(8);
    assertThat(index.path("explanation")).isNotEmpty();
    assertThat(index.path("steps").isArray()).isTrue();
    assertThat(node.get("/_prometheus/metrics").body())
        .contains("holdfast_tier_load_threads{tier=\"index\"}");
  }

  private static JsonNode explained() throws Exception {
    return other.json("/_holdfast/autoscaling/explain");
  }
}
