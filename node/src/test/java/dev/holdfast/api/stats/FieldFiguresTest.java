package dev.holdfast.api.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.StopSignal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Statistics do not wait for shards that cannot be searched.
final class FieldFiguresTest {
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final class Hand implements Clock {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long epochMillis() {
      return nanos / 1_000_000;
    }
  }

  @Test
  @Timeout(20)
  void shardsThatDoNotAnswerAreWaitedForTogether() {
    Hand clock = new Hand();
    IndexMetadata index =
        TestCluster.index("books", 3, 1)
            .withMapping(Json.parseObject("{\"properties\":{\"v\":{\"type\":\"dense_vector\"}}}"));
    List<ShardFigures> shards =
        List.of(
            new ShardFigures(index, new ShardId(index.id(), 0), ShardStats.NONE, ""),
            new ShardFigures(index, new ShardId(index.id(), 1), ShardStats.NONE, ""),
            new ShardFigures(index, new ShardId(index.id(), 2), ShardStats.NONE, ""));

    var found =
        FieldFigures.of(
            (shard, question, body) -> {
              while (true) { // as one that waits for a copy
                StopSignal.lookForCancelling();
                clock.nanos += LOOK.toNanos();
              }
            },
            clock,
            shards);

    assertThat(found).isEmpty();
    assertThat(Duration.ofNanos(clock.nanos))
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
  }
}
