package dev.holdfast.search;

import dev.holdfast.blobcache.BlobInputs;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.CommitStore;
import dev.holdfast.compoundcommit.SearchDirectory;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.UsageTrackingQueryCachingPolicy;
import org.jspecify.annotations.Nullable;

/// The search copies of this node.
final class SearchShards implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(10);

  private final World world;
  private final ObjectStore store;
  private final BlobInputs inputs;
  private final IndexingReads indexing;
  private final SearchConfig config;
  private final LRUQueryCache queryCache;
  private final UsageTrackingQueryCachingPolicy cachingPolicy =
      new UsageTrackingQueryCachingPolicy();
  private final ConcurrentMap<ShardId, SearchShard> shards = new ConcurrentHashMap<>();
  private volatile boolean isClosed;

  SearchShards(
      World world,
      ObjectStore store,
      BlobInputs inputs,
      IndexingReads indexing,
      SearchConfig config) {
    this.world = world;
    this.store = store;
    this.inputs = inputs;
    this.indexing = indexing;
    this.config = config;
    queryCache = new LRUQueryCache(config.cachedQueriesMax(), config.cachedQueriesBytesMax());
  }

  InUse commit(CommitNotice notice) throws IOException {
    if (isClosed) {
      throw new Refusal(ErrorType.NODE_CLOSED, "the search tier is closed");
    }
    return shards.computeIfAbsent(notice.shard(), this::create).commit(notice);
  }

  private SearchShard create(ShardId shard) {
    CommitStore commits = new CommitStore(store, shard);
    SearchDirectory directory = new SearchDirectory(shard, inputs, commits::blob, indexing);
    return new SearchShard(directory, queryCache, cachingPolicy);
  }

  /// The newest commit of a shard, waiting for the first one if need be.
  ///
  /// @throws Refusal `no_shard_available_action_exception` when none came in time
  SearchShard.Opened acquire(ShardId shard) throws InterruptedException {
    long deadline = world.clock().nanoTime() + config.firstCommitWaitMax().toNanos();
    SearchShard.Opened opened = acquireNow(shard);
    while (opened == null) {
      if (isClosed || world.clock().nanoTime() - deadline > 0) {
        throw new Refusal(ErrorType.NO_SHARD_AVAILABLE, "No shard available for " + shard)
            .with("index", shard.index().name())
            .with("shard", String.valueOf(shard.number()));
      }
      world.sleeper().sleep(POLL);
      opened = acquireNow(shard);
    }
    return opened;
  }

  private SearchShard.@Nullable Opened acquireNow(ShardId shard) {
    SearchShard copy = shards.get(shard);
    return copy == null ? null : copy.acquire();
  }

  /// Closes the copies of indices that are gone or closed.
  void keepOnly(ClusterState state) throws IOException {
    for (ShardId shard : shards.keySet()) {
      IndexMetadata index = state.indices().get(shard.index().name());
      if (index == null || !index.id().equals(shard.index()) || !index.isOpen()) {
        close(shard);
      }
    }
  }

  void close(ShardId shard) throws IOException {
    SearchShard copy = shards.remove(shard);
    if (copy != null) {
      copy.close();
    }
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    for (ShardId shard : shards.keySet()) {
      close(shard);
    }
  }
}
