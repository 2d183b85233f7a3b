package dev.holdfast.api.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A histogram over ranges, at the ends of what numbers there are.
final class RangeHistogramTest {
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void anOffsetThatNoStepReachesEndsNoNode(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/a", "{\"mappings\":{\"properties\":{\"r\":{\"type\":\"integer_range\"}}}}");
      node.ok("PUT", "/a/_doc/1?refresh=true", "{\"r\":{\"gte\":1,\"lte\":12}}");
      node.refused(400, "POST", "/a/_search", histogram("-1e400"));
      node.refused(400, "POST", "/a/_search", histogram("1e400"));
      assertThat(buckets(node, "-1e300")).isEqualTo(1);
      assertThat(buckets(node, "1e300")).isEqualTo(1);
      assertThat(buckets(node, "0")).isEqualTo(3);
      assertThat(buckets(node, "-3")).isEqualTo(4);
    }
  }

  private static int buckets(NodeFixture node, String offset) throws Exception {
    return node.ok("POST", "/a/_search", histogram(offset)).at("/aggregations/h/buckets").size();
  }

  private static String histogram(String offset) {
    return "{\"size\":0,\"aggs\":{\"h\":{\"histogram\":{\"field\":\"r\",\"interval\":5,\"min_doc_count\":1,\"offset\":"
        + offset
        + "}}}}";
  }
}
