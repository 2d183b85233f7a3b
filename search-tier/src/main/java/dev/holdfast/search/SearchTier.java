package dev.holdfast.search;

import dev.holdfast.blobcache.BlobInputs;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.query.Queries;
import dev.holdfast.query.SearchSource;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The search tier of one node (§3): its search copies, and the searches over them.
public final class SearchTier implements Searches, SearchNotices, AutoCloseable {
  private final World world;
  private final Metadata metadata;
  private final IndexingReads indexing;
  private final SearchShards shards;
  private final Mappings mappings;
  private final WorkPool pool;
  private final SearchCounters counters = new SearchCounters();

  /// Copies open as commits are noticed, and close when the metadata drops their index.
  ///
  /// @param store where uploaded blobs lie
  /// @param inputs the blob cache
  /// @param indexing the indexing tier, for real-time gets and what is not uploaded yet
  public SearchTier(
      World world,
      ObjectStore store,
      Metadata metadata,
      BlobInputs inputs,
      MappingFactory mappings,
      IndexingReads indexing,
      SearchConfig config) {
    this.world = world;
    this.metadata = metadata;
    this.indexing = indexing;
    this.mappings = new Mappings(mappings);
    shards = new SearchShards(world, store, inputs, indexing, config);
    pool = world.tasks().pool("search", config.threads(), config.queueMax());
    Queries.limitClauses(config.clausesMax());
    metadata.listen((before, now) -> keepOnly(now));
  }

  /// The pool that searches run in, for its figures.
  public WorkPool pool() {
    return pool;
  }

  @Override
  public SearchResponse search(
      List<IndexId> indices, SearchSource source, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    long startNanos = world.clock().nanoTime();
    ClusterState state = metadata.current();
    SearchResponse response =
        new Coordination(world, state, shards, mappings, pool, source, isCancelled).run(indices);
    long millis = (world.clock().nanoTime() - startNanos) / 1_000_000;
    for (IndexId id : indices) {
      IndexMetadata index = state.indices().get(id.name());
      counters.add(id, index == null ? 0 : index.shards(), millis, source.groups());
    }
    return response;
  }

  @Override
  public SearchFigures figures(IndexId index) {
    return counters.figures(index);
  }

  @Override
  public RealTimeDocument get(ShardId shard, String id, boolean realTime) throws IOException {
    if (realTime) {
      return indexing.get(shard, id);
    }
    SearchShard.Opened opened = acquire(shard);
    try {
      return DocumentById.find(opened.reader(), id);
    } finally {
      opened.release();
    }
  }

  @Override
  public long documents(ShardId shard) throws IOException {
    SearchShard.Opened opened = acquire(shard);
    try {
      return opened.reader().numDocs();
    } finally {
      opened.release();
    }
  }

  private SearchShard.Opened acquire(ShardId shard) {
    try {
      return shards.acquire(shard);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while waiting for " + shard, e);
    }
  }

  @Override
  public InUse commit(CommitNotice notice) throws IOException {
    return shards.commit(notice);
  }

  @Override
  public void closed(ShardId shard) {
    try {
      shards.close(shard);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void keepOnly(ClusterState state) {
    mappings.keepOnly(state);
    counters.keepOnly(state);
    try {
      shards.keepOnly(state);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    shards.close();
    pool.close();
  }
}
