package dev.holdfast.indexing.relocation;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.world.ByteSize;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.junit.jupiter.api.Test;

/// Where a shard moves to has what its opening reads before its owner lets go of it.
class MoveWarmingTest extends IndexingTierFixture {
  @Test
  void anOpeningAfterwardsReadsNothingMoreOfTheStore() throws Exception {
    // given
    ShardId shard = node.create("books");
    node.done(shard, index("1", "{\"a\":1}"));
    node.tier.flush(shard);
    Path other = folder.resolve("other");
    Path scratch = other.resolve("scratch");
    CommitStore commits = new CommitStore(store, shard);
    CompoundCommit newest = commits.newest().orElseThrow();
    try (BlobCache cache =
        new BlobCache(other, ByteSize.mib(64), node.world, CacheConfig.defaults())) {
      MoveWarming warming =
          new MoveWarming(
              node.world,
              store,
              cache,
              node.cluster,
              scratch,
              of -> new WriteMapping(node.cluster, new StandardMappings(), of.index(), 1));

      // when
      warming.warm(shard);

      // then
      long asked = store.asks(shard.folder());
      try (IndexingDirectory directory =
          new IndexingDirectory(other.resolve("opened"), cache, commits::blob)) {
        directory.adopt(newest);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          assertThat(reader.numDocs()).isEqualTo(1);
        }
      }
      assertThat(store.asks(shard.folder())).isEqualTo(asked);
      assertThat(scratch.resolve(shard.index().uuid()).toFile().list()).isEmpty();
    }
  }
}
