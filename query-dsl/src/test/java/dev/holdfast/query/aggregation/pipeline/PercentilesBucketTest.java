package dev.holdfast.query.aggregation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Figures over the buckets of a sibling: `percentiles_bucket`, `extended_stats_bucket`.
final class PercentilesBucketTest {
  private static final String SUMS =
      "{'h':{'histogram':{'field':'n','interval':10},'aggs':{'v':{'sum':{'field':'v'}}}},'p':";
  private static AggregationTestShard left;
  private static AggregationTestShard right;

  @BeforeAll
  static void fill() throws IOException {
    String mapping = "{\"properties\":{\"n\":{\"type\":\"long\"},\"v\":{\"type\":\"double\"}}}";
    // given sums 5, 1, none, 4, 2, 3 over two shards
    left =
        new AggregationTestShard(mapping)
            .segment(AggregationAnswer.lines("{'n':1,'v':5}", "{'n':11,'v':1}", "{'n':31,'v':3}"));
    right =
        new AggregationTestShard(mapping)
            .segment(AggregationAnswer.lines("{'n':32,'v':1}", "{'n':41,'v':2}", "{'n':59,'v':3}"));
  }

  @AfterAll
  static void close() throws IOException {
    left.close();
    right.close();
  }

  private static JsonNode over(String pipeline) throws IOException {
    return AggregationAnswer.of(SUMS + pipeline + "}", left, right).path("p");
  }

  @Test
  void takesValuesThatABucketHas() throws IOException {
    JsonNode values =
        over("{'percentiles_bucket':{'buckets_path':'h>v','percents':[0,25,50,60,100]}}")
            .path("values");

    assertThat(values.path("0.0").asDouble()).isEqualTo(1);
    assertThat(values.path("25.0").asDouble()).isEqualTo(2);
    assertThat(values.path("50.0").asDouble()).isEqualTo(3);
    assertThat(values.path("60.0").asDouble()).isEqualTo(3);
    assertThat(values.path("100.0").asDouble()).isEqualTo(5);
  }

  @Test
  void countsGapsAsZerosWhereAskedTo() throws IOException {
    JsonNode values =
        over("{'percentiles_bucket':{'buckets_path':'h>v','percents':[0,100],"
                + "'gap_policy':'insert_zeros','keyed':false}}")
            .path("values");

    assertThat(values.at("/0/key").asDouble()).isZero();
    assertThat(values.at("/0/value").asDouble()).isZero();
    assertThat(values.at("/1/value").asDouble()).isEqualTo(5);
  }

  @Test
  void computesExtendedStatsOfBuckets() throws IOException {
    JsonNode stats = over("{'extended_stats_bucket':{'buckets_path':'h>v'}}");

    assertThat(stats.path("count").asLong()).isEqualTo(5);
    assertThat(stats.path("min").asDouble()).isEqualTo(1);
    assertThat(stats.path("max").asDouble()).isEqualTo(5);
    assertThat(stats.path("avg").asDouble()).isEqualTo(3);
    assertThat(stats.path("sum_of_squares").asDouble()).isEqualTo(55);
    assertThat(stats.path("variance").asDouble()).isCloseTo(2, within(1e-12));
    assertThat(stats.path("std_deviation").asDouble()).isCloseTo(Math.sqrt(2), within(1e-12));
  }

  @Test
  void tellsWhereTheLeastIsAndTheSumOfAll() throws IOException {
    JsonNode least = over("{'min_bucket':{'buckets_path':'h>v'}}");

    assertThat(least.path("value").asDouble()).isEqualTo(1);
    assertThat(least.path("keys").get(0).asText()).isEqualTo("10.0");
    assertThat(over("{'sum_bucket':{'buckets_path':'h>v'}}").path("value").asDouble())
        .isEqualTo(15);
  }

  @Test
  void refusesWhatIsNoPercent() {
    assertThatThrownBy(() -> over("{'percentiles_bucket':{'buckets_path':'h>v','percents':[101]}}"))
        .isInstanceOf(Refusal.class)
        .hasMessage("[percents] must only contain non-null doubles from 0.0-100.0 inclusive");
  }
}
