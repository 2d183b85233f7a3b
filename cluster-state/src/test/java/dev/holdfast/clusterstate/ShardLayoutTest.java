package dev.holdfast.clusterstate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShardLayoutTest {
  private static final int HASHES = 10_000;

  @ParameterizedTest
  @CsvSource({"1,2", "1,3", "1,8", "2,4", "2,6", "3,6", "5,20"})
  void eachStepMovesDocumentsOfOneShardToTheNewOneOnly(int from, int to) {
    for (int shards = from; shards < to; shards++) {
      ShardLayout before = new ShardLayout(shards, from, to);
      ShardLayout after = new ShardLayout(shards + 1, from, to);
      for (int hash = -HASHES; hash < HASHES; hash++) {
        int now = after.shard(hash);
        if (now == shards) {
          assertThat(before.shard(hash)).isEqualTo(shards % from);
        } else {
          assertThat(now).isEqualTo(before.shard(hash));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1,2", "2,6", "4,8"})
  void theEndsAreTheHashModuloTheNumberOfShards(int from, int to) {
    for (int hash = -HASHES; hash < HASHES; hash++) {
      assertThat(new ShardLayout(from, from, to).shard(hash)).isEqualTo(Math.floorMod(hash, from));
      assertThat(new ShardLayout(to, from, to).shard(hash)).isEqualTo(Math.floorMod(hash, to));
      assertThat(ShardLayout.of(to).shard(hash)).isEqualTo(Math.floorMod(hash, to));
    }
  }

  @Test
  void thereAreNoOthers() {
    for (int[] wrong : new int[][] {{0, 0, 0}, {1, 2, 4}, {5, 2, 4}, {2, 2, 3}}) {
      assertThatThrownBy(() -> new ShardLayout(wrong[0], wrong[1], wrong[2]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
