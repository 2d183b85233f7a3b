package dev.holdfast.indexing.relocation;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  /// A writer without the order of the segments would be refused by them.
  @Test
  void aSortedIndexIsWarmedAndNothingIsLeftOfThat() throws Exception {
    IndexId id = new IndexId("sorted", "uuid-sorted");
    ShardId shard = new ShardId(id, 0);
    ObjectNode mapping = Json.object();
    mapping.withObjectProperty("properties").putObject("a").put("type", "long");
    node.cluster.update(
        "create",
        state ->
            state.withIndex(
                new IndexMetadata(
                    id,
                    1,
                    new TreeMap<>(Map.of("index.number_of_shards", "1", "index.sort.field", "a")),
                    1,
                    mapping,
                    1,
                    new TreeMap<>(),
                    true,
                    List.of(0L),
                    null,
                    Json.object())));
    node.done(shard, index("1", "{\"a\":1}"));
    node.tier.flush(shard);
    Path other = folder.resolve("other");
    CommitStore commits = new CommitStore(store, shard);
    CompoundCommit newest = commits.newest().orElseThrow();
    try (BlobCache cache =
        new BlobCache(other, ByteSize.mib(64), node.world, CacheConfig.defaults())) {
      new MoveWarming(
              node.world,
              store,
              cache,
              node.cluster,
              other.resolve("scratch"),
              of -> new WriteMapping(node.cluster, new StandardMappings(), of.index(), 1))
          .warm(shard);
    }
    assertThat(other.resolve("scratch").resolve(id.uuid()).toFile().list()).isEmpty();
    assertThat(commits.newest()).contains(newest);
  }
}
