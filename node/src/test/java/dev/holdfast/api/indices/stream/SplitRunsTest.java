package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Indices that get more shards without anybody asking.
@Timeout(120)
final class SplitRunsTest {
  private static final int TRIES_MAX = 600;
  private static final long PAUSE_MILLIS = 100;

  @RegisterExtension final RunningNode node = RunningNode.withStore(Duration.ofMillis(1));

  @Test
  void whatAShardHasGivenAwayDoesNotCount() {
    assertThat(SplitRuns.liveBytes(1_000, 10, 30)).isEqualTo(250);
    assertThat(SplitRuns.liveBytes(1_000, 10, 0)).isEqualTo(1_000);
    assertThat(SplitRuns.liveBytes(1_000, 0, 10)).isZero();
    assertThat(SplitRuns.liveBytes(7, 0, 0)).isEqualTo(7);
  }

  private void fill(String index) throws Exception {
    node.ok("PUT", "/" + index, "{\"settings\":{\"number_of_shards\":1}}");
    for (int i = 0; i < 20; i++) {
      node.ok("PUT", "/" + index + "/_doc/" + i, "{\"n\":" + i + "}");
    }
    node.ok("POST", "/" + index + "/_flush", "");
  }

  /// Returns the index that a data stream has written to before.
  private String rolledOver() throws Exception {
    node.ok("PUT", "/_index_template/t", "{\"index_patterns\":[\"log-*\"],\"data_stream\":{}}");
    for (int i = 0; i < 20; i++) {
      node.ok("POST", "/log-a/_doc", "{\"@timestamp\":" + i + "}");
    }
    node.ok("POST", "/log-a/_flush", "");
    return node.ok("POST", "/log-a/_rollover", "").path("old_index").asText();
  }

  @Test
  void aShardThatHasGrownTooLargeIsSplitUnlessNobodyMayOrWill() throws Exception {
    // given: two that are looked at before the third
    String old = rolledOver();
    fill("archive");
    node.ok("PUT", "/archive/_settings", "{\"index.blocks.read_only\":true}");
    fill("books");
    // when
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"cluster.auto_split.max_shard_size\":\"1kb\","
            + "\"cluster.auto_split.enabled\":true}}");
    JsonNode seen = node.json("/books/_reshard");
    for (int i = 0; i < TRIES_MAX && seen.path("number_of_shards").asInt() < 2; i++) {
      Thread.sleep(PAUSE_MILLIS);
      seen = node.json("/books/_reshard");
    }
    node.ok("PUT", "/_cluster/settings", "{\"persistent\":{\"cluster.auto_split.enabled\":null}}");
    assertThat(seen.path("number_of_shards").asInt()).isGreaterThan(1);
    for (String left : List.of(old, "archive")) {
      assertThat(node.json("/" + left + "/_reshard").path("target_number_of_shards").asInt())
          .isOne();
    }
    node.ok("POST", "/books/_refresh", "");
    assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(20);
  }
}
