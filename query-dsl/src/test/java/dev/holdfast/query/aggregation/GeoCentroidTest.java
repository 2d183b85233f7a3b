package dev.holdfast.query.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class GeoCentroidTest {
  @Test
  void weighsEveryPointOfEveryShardTheSame() throws IOException {
    String mapping = "{\"properties\":{\"p\":{\"type\":\"geo_point\"}}}";
    try (TestShard left =
            new TestShard(mapping)
                .segment(Answer.lines("{'p':[{'lat':10,'lon':0},{'lat':20,'lon':0}]}", "{}"));
        TestShard right =
            new TestShard(mapping).segment(Answer.lines("{'p':{'lat':60,'lon':30}}"))) {
      JsonNode centre = Answer.of("{'c':{'geo_centroid':{'field':'p'}}}", left, right).path("c");

      assertThat(centre.path("count").asLong()).isEqualTo(3);
      assertThat(centre.at("/location/lat").asDouble()).isCloseTo(30, within(1e-6));
      assertThat(centre.at("/location/lon").asDouble()).isCloseTo(10, within(1e-6));
    }
  }

  @Test
  void hasNoPlaceWithoutPoints() throws IOException {
    try (TestShard shard =
        new TestShard("{\"properties\":{\"p\":{\"type\":\"geo_point\"}}}")
            .segment(Answer.lines("{}"))) {
      JsonNode centre = Answer.of("{'c':{'geo_centroid':{'field':'p'}}}", shard).path("c");

      assertThat(centre.path("count").asLong()).isZero();
      assertThat(centre.has("location")).isFalse();
    }
  }
}
