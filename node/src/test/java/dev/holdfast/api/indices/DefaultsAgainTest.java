package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A setting that is null has its default, whatever was said before; figures of a shard that sleeps
/// go on.
final class DefaultsAgainTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static String replicas(String index) throws Exception {
    return node.json("/" + index + "/_settings")
        .at("/" + index + "/settings/index/number_of_replicas")
        .asText();
  }

  @Test
  void aNullOfReplicasIsOne() throws Exception {
    JsonNode _ = node.ok("PUT", "/none", "{\"settings\":{\"number_of_replicas\":0}}");
    assertThat(replicas("none")).isEqualTo("0");

    JsonNode _ = node.ok("PUT", "/none/_settings", "{\"number_of_replicas\":null}");

    assertThat(replicas("none")).isEqualTo("1");
  }

  @Test
  void aNullOfARequestGoesBeforeTemplates() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/_index_template/t",
            "{\"index_patterns\":[\"made-*\"],\"template\":{\"settings\":"
                + "{\"number_of_replicas\":0,\"refresh_interval\":\"9s\"}}}");

    JsonNode _ =
        node.ok(
            "PUT",
            "/made-1",
            "{\"settings\":{\"number_of_replicas\":null,\"index\":{\"refresh_interval\":null}}}");

    assertThat(replicas("made-1")).isEqualTo("1");
    assertThat(node.json("/made-1/_settings").toString()).doesNotContain("refresh_interval");
  }

  @Test
  void flushesOfAShardThatNobodyUsedAreCounted() throws Exception {
    JsonNode _ = node.ok("PUT", "/unused", "{}");
    JsonNode _ = node.ok("POST", "/unused/_flush", "");
    JsonNode _ = node.ok("POST", "/unused/_flush", "");

    assertThat(node.json("/unused/_stats/flush").at("/_all/primaries/flush/total").asInt())
        .isEqualTo(2);
  }

  @Test
  void ofAClosedIndexReplicasMayChangeAndWhatOnlyTheServerSaysMayNot() throws Exception {
    node.ok("PUT", "/shut", "");
    node.ok("POST", "/shut/_close", "");
    node.ok("PUT", "/shut/_settings", "{\"number_of_replicas\":3}");

    assertThat(node.json("/shut/_settings").at("/shut/settings/index/number_of_replicas").asText())
        .isEqualTo("3");
    for (String name :
        List.of("resize.source.name", "store.snapshot.snapshot_name", "downsample.status")) {
      assertThat(
              node.refused(400, "PUT", "/shut/_settings", "{\"index." + name + "\":\"x\"}")
                  .at("/error/reason")
                  .asText())
          .contains("private index setting");
    }
  }
}
