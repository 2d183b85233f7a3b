package dev.holdfast.api.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Each document is in very many ranges: they are handed to what is counted below in parts.
final class OverlappingRangesTest {
  private static final int DOCUMENTS = 3_000;
  private static final int RANGES = 300;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void eachRangeHasAllOfItsDocuments() throws Exception {
    node.fill("books", DOCUMENTS);
    StringBuilder ranges = new StringBuilder();
    for (int i = 0; i < RANGES; i++) {
      ranges.append(i == 0 ? "" : ",").append("{\"from\":").append(10 * i).append('}');
    }

    JsonNode found =
        node.ok(
            "POST",
            "/books/_search",
            "{\"size\":0,\"aggs\":{\"r\":{\"range\":{\"field\":\"n\",\"ranges\":["
                + ranges
                + "]},\"aggs\":{\"s\":{\"sum\":{\"field\":\"n\"}}}}}}");

    JsonNode buckets = found.at("/aggregations/r/buckets");
    assertThat(buckets).hasSize(RANGES);
    for (int i = 0; i < RANGES; i++) {
      long first = 10L * i;
      long count = DOCUMENTS - first;
      assertThat(buckets.get(i).path("doc_count").asLong()).isEqualTo(count);
      assertThat(buckets.get(i).at("/s/value").asLong())
          .isEqualTo((first + DOCUMENTS - 1) * count / 2);
    }
  }
}
