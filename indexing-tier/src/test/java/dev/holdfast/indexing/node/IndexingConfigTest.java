package dev.holdfast.indexing.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.ByteSize;
import org.junit.jupiter.api.Test;

final class IndexingConfigTest {
  /// There is one for each shard: a dozen shards of a node of 256 MB had filled its heap.
  @Test
  void whatAShardRemembersOfItsIdsIsASmallPartOfAnyHeap() {
    assertThat(IndexingConfig.of(256 << 20, 2).memory().versionMap()).isEqualTo(ByteSize.mib(4));
    assertThat(IndexingConfig.of(512 << 20, 2).memory().versionMap()).isEqualTo(ByteSize.mib(8));
    assertThat(IndexingConfig.of(8L << 30, 2).memory().versionMap()).isEqualTo(ByteSize.mib(16));
  }
}
