package dev.holdfast.query.aggregation.metric.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class GeoCentroidTest {
  @Test
  void weighsEveryPointOfEveryShardTheSame() throws IOException {
    String mapping = "{\"properties\":{\"p\":{\"type\":\"geo_point\"}}}";
    try (AggregationTestShard left =
            new AggregationTestShard(mapping)
                .segment(
                    AggregationAnswer.lines(
                        "{'p':[{'lat':10,'lon':0},{'lat':20,'lon':0}]}", "{}"));
        AggregationTestShard right =
            new AggregationTestShard(mapping)
                .segment(AggregationAnswer.lines("{'p':{'lat':60,'lon':30}}"))) {
      JsonNode centre =
          AggregationAnswer.of("{'c':{'geo_centroid':{'field':'p'}}}", left, right).path("c");

      assertThat(centre.path("count").asLong()).isEqualTo(3);
      assertThat(centre.at("/location/lat").asDouble()).isCloseTo(30, within(1e-6));
      assertThat(centre.at("/location/lon").asDouble()).isCloseTo(10, within(1e-6));
    }
  }

  @Test
  void hasNoPlaceWithoutPoints() throws IOException {
    try (AggregationTestShard shard =
        new AggregationTestShard("{\"properties\":{\"p\":{\"type\":\"geo_point\"}}}")
            .segment(AggregationAnswer.lines("{}"))) {
      JsonNode centre =
          AggregationAnswer.of("{'c':{'geo_centroid':{'field':'p'}}}", shard).path("c");

      assertThat(centre.path("count").asLong()).isZero();
      assertThat(centre.has("location")).isFalse();
    }
  }
}
