package dev.holdfast.clusterstate.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.world.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class KnownLoadsTest {
  private long nanos;
  private final KnownLoads known =
      new KnownLoads(
          new Clock() {
            @Override
            public long nanoTime() {
              return nanos;
            }

            @Override
            public long epochMillis() {
              return nanos / 1_000_000;
            }
          });

  private final ClusterState state =
      Allocation.next(
          ClusterState.empty("cluster")
              .withCustom("minimum_version", IntNode.valueOf(Formats.ONLINE_SPLIT))
              .withMember(member("a"))
              .withMember(member("b"))
              .withIndex(TestCluster.index("books", 1, 1)),
          AllocationInputs.NONE);

  private final ShardId shard = Allocation.shards(state).getFirst();

  private static Member member(String id) {
    return new Member(
        id,
        id,
        id + ":9200",
        new TreeSet<>(List.of(Role.values())),
        1,
        0,
        false,
        Build.here("test"));
  }

  private void beats(String id, double writes, Duration every, int times) {
    for (int i = 0; i < times; i++) {
      nanos += every.toNanos();
      known.heard(id, LoadReport.of(Map.of(shard, new ShardLoad(writes, 0))));
    }
  }

  private double told() {
    return known.figures(state, new TreeMap<>()).of(shard).writes();
  }

  @Test
  void noiseChangesNothingAndALastingChangeDoes() {
    beats("a", 0.5, Duration.ofSeconds(1), 1);
    Random random = new Random(7);
    for (int i = 0; i < 1000; i++) {
      beats("a", 0.2 + 0.6 * random.nextDouble(), Duration.ofSeconds(1), 1);
      assertThat(told()).isEqualTo(0.5);
    }
    beats("a", 2, Duration.ofSeconds(1), 300);
    assertThat(told()).isBetween(1.0, 2.0);
  }

  @Test
  void aLoadStaysWithItsShardWhenItMoves() {
    beats("a", 1, Duration.ofSeconds(1), 10);

    known.heard("a", LoadReport.EMPTY);
    nanos += Duration.ofSeconds(10).toNanos();
    known.heard("a", LoadReport.EMPTY);
    beats("b", 1, Duration.ofSeconds(1), 100);

    assertThat(told()).isEqualTo(1);
  }

  @Test
  void aShardThatNobodyWritesIsForgotten() {
    beats("a", 1, Duration.ofSeconds(1), 10);

    for (int i = 0; i < 1000; i++) {
      nanos += Duration.ofSeconds(1).toNanos();
      known.heard("a", LoadReport.EMPTY);
    }

    assertThat(known.figures(state, new TreeMap<>()).shards()).isEmpty();
  }

  @Test
  void theLoadOfAShardWhoseOwnerDiedIsKeptUntilTheNewOwnerSaysOtherwise() {
    beats("a", 1, Duration.ofSeconds(1), 10);

    ClusterState left = Allocation.next(state.withoutMember("a"), AllocationInputs.NONE);
    nanos += Duration.ofSeconds(30).toNanos();
    assertThat(known.figures(left, new TreeMap<>()).of(shard).writes()).isEqualTo(1);
    assertThat(known.figures(left, new TreeMap<>()).heard()).doesNotContain("a");
    for (int i = 0; i < 1000; i++) {
      nanos += Duration.ofSeconds(1).toNanos();
      known.heard("b", LoadReport.EMPTY);
    }
    assertThat(known.figures(left, new TreeMap<>()))
        .isEqualTo(
            new AllocationInputs(new TreeMap<>(), new TreeSet<>(List.of("b")), new TreeMap<>()));
  }

  @Test
  void aShardThatIsDividedSharesItsLoadWithTheNewOneAtOnceAndOnce() {
    beats("a", 1, Duration.ofSeconds(1), 10);
    assertThat(told()).isEqualTo(1);

    ClusterState divided = divided(OnlineSplit.begun(state, shard.index(), 4));

    for (int i = 0; i < 3; i++) {
      AllocationInputs figures = known.figures(divided, new TreeMap<>());
      assertThat(figures.of(shard).writes()).isEqualTo(0.75);
      assertThat(figures.of(new ShardId(shard.index(), 1)).writes()).isEqualTo(0.25);
    }
    AllocationInputs figures = known.figures(divided(divided), new TreeMap<>());
    assertThat(figures.of(shard).writes()).isEqualTo(0.5);
    assertThat(figures.of(new ShardId(shard.index(), 2)).writes()).isEqualTo(0.25);
  }

  @Test
  void aDivisionBeforeALeaderBeganIsNoNewsToIt() {
    ClusterState divided = divided(OnlineSplit.begun(state, shard.index(), 2));
    beats("a", 1, Duration.ofSeconds(1), 10);

    for (int i = 0; i < 3; i++) {
      AllocationInputs figures = known.figures(divided, new TreeMap<>());
      assertThat(figures.of(shard).writes()).isEqualTo(1);
      assertThat(figures.of(new ShardId(shard.index(), 1))).isEqualTo(ShardLoad.NONE);
    }
  }

  /// The first shard gives documents to one more.
  private ClusterState divided(ClusterState before) {
    int shards = Allocation.shards(before).size();
    return OnlineSplit.divided(
        before,
        shard,
        shards,
        before.assignment(shard).owner(),
        new IndexSplit.Part(0, before.primaryTerm(shard) + 1, 0, 0));
  }
}
