package dev.holdfast.api.indices.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `_forcemerge` while the client waits, and behind its back.
final class ForceMergeTest {
  @Test
  void aMergeThatNobodyWaitsForIsATask(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      // given
      for (int i = 0; i < 3; i++) {
        node.ok("PUT", "/logs/_doc/" + i + "?refresh=true", "{\"n\":" + i + "}");
      }

      // when
      JsonNode started =
          node.ok("POST", "/logs/_forcemerge?wait_for_completion=false&max_num_segments=1", "");
      JsonNode done =
          node.json("/_tasks/" + started.path("task").asText() + "?wait_for_completion=true");

      // then
      assertThat(started).hasSize(1);
      assertThat(done.path("completed").asBoolean()).isTrue();
      assertThat(done.at("/task/action").asText()).isEqualTo("indices:admin/forcemerge");
      assertThat(done.at("/task/cancellable").asBoolean()).isFalse();
      assertThat(done.at("/response/_shards/failed").asInt(-1)).isZero();
      assertThat(node.json("/logs/_stats/segments").at("/_all/primaries/segments/count").asInt())
          .isEqualTo(1);
    }
  }

  @Test
  void otherMergesAreWaitedFor(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/logs/_doc/1", "{}");

      assertThat(node.ok("POST", "/logs/_forcemerge", "").at("/_shards/failed").asInt(-1)).isZero();
    }
  }
}
