package dev.holdfast.query.aggregation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MovingFunctionTest {
  /// The form that Elasticsearch documents.
  @Test
  void spreadsAroundTheMeanOfTheWindow() throws Exception {
    try (AggregationTestShard shard =
        new AggregationTestShard(
                "{\"properties\": {\"x\": {\"type\": \"long\"}, \"v\": {\"type\": \"long\"}}}")
            .segment(
                List.of(
                    "{\"x\":0,\"v\":1}",
                    "{\"x\":1,\"v\":3}",
                    "{\"x\":2,\"v\":9}",
                    "{\"x\":3,\"v\":0}"))) {
      JsonNode buckets =
          AggregationAnswer.of(
                  """
                  {'h':{'histogram':{'field':'x','interval':1},'aggs':{
                    's':{'sum':{'field':'v'}},
                    'd':{'moving_fn':{'buckets_path':'s','window':2,'script':
                      'MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))'}}}}}
                  """,
                  "{'match_all':{}}",
                  false,
                  shard)
              .at("/h/buckets");

      assertThat(buckets.at("/1/d/value").asDouble(-1)).isZero();
      assertThat(buckets.at("/2/d/value").asDouble()).isEqualTo(1);
      assertThat(buckets.at("/3/d/value").asDouble()).isEqualTo(3);
    }
  }
}
