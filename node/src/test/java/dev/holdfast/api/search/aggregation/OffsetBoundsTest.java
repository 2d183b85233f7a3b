package dev.holdfast.api.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Bounds of histograms of dates say where buckets are before an offset moves them.
final class OffsetBoundsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    var _ = node.ok("PUT", "/days", "{\"mappings\":{\"properties\":{\"d\":{\"type\":\"date\"}}}}");
    StringBuilder bulk = new StringBuilder();
    for (int day = 2; day <= 4; day++) {
      bulk.append("{\"index\":{}}\n{\"d\":\"2026-01-0" + day + "\"}\n");
    }
    var _ = node.ok("POST", "/days/_bulk?refresh=true", bulk.toString());
  }

  @Test
  void extendedBoundsAreMovedWithTheBuckets() throws Exception {
    assertThat(keys("\"extended_bounds\":{\"min\":\"2026-01-01\",\"max\":\"2026-01-05\"}"))
        .isEqualTo("1 2 3 4 5 ");
  }

  @Test
  void hardBoundsHoldTheBucketThatBeginsWithinThem() throws Exception {
    assertThat(keys("\"hard_bounds\":{\"min\":\"2026-01-02\",\"max\":\"2026-01-03\"}"))
        .isEqualTo("2 ");
  }

  @Test
  void whatIsNoSizeIsRefused() throws Exception {
    String aggregations = "{\"aggs\":{\"a\":{\"%s\":{\"field\":\"d\",%s}}}}";
    String grid = aggregations.formatted("geohash_grid", "\"shard_size\":0");
    String prefix = aggregations.formatted("ip_prefix", "\"prefix_length\":8,\"min_doc_count\":0");
    String meta = "{\"runtime_mappings\":{\"r\":{\"type\":\"keyword\",\"meta\":{\"a\":1}}}}";

    assertThat(node.refused(400, "POST", "/days/_search", grid).toString())
        .contains("[shardSize] must be greater than 0");
    assertThat(node.refused(400, "POST", "/days/_search", prefix).toString())
        .contains("[minDocCount] must be greater than or equal to 1");
    assertThat(node.refused(400, "POST", "/days/_search", meta).toString())
        .contains("[meta] values can only be strings");
  }

  private static String keys(String bounds) throws Exception {
    String body =
        "{\"size\":0,\"aggs\":{\"a\":{\"date_histogram\":{\"field\":\"d\","
            + "\"calendar_interval\":\"day\",\"offset\":\"1h\","
            + bounds
            + "}}}}";
    StringBuilder keys = new StringBuilder();
    for (JsonNode bucket : node.ok("POST", "/days/_search", body).at("/aggregations/a/buckets")) {
      keys.append(bucket.path("key_as_string").asText().charAt("2026-01-0".length())).append(' ');
    }
    return keys.toString();
  }
}
