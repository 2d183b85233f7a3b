package dev.holdfast.search;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.query.SearchSource;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The search tier as the APIs call it. Every method blocks.
public interface Searches {
  /// Query phase on every shard of the indices, merge, fetch phase, in the search pool.
  ///
  /// @param indices concrete, open indices in the order of the request
  /// @param isCancelled asked now and then: the client left, or the time is over
  /// @throws dev.holdfast.world.Refusal when every shard failed
  ///   (`search_phase_execution_exception`), or 429 when the queue is full
  SearchResponse search(List<IndexId> indices, SearchSource source, BooleanSupplier isCancelled)
      throws IOException, InterruptedException;

  /// The document of that id.
  ///
  /// @param realTime true: as of now, asking the indexing shard; false: as of the commit being
  ///   searched
  RealTimeDocument get(ShardId shard, String id, boolean realTime) throws IOException;

  /// How much of an index was searched here.
  SearchFigures figures(IndexId index);

  /// Live documents of a shard in the commit being searched, without any query.
  long documents(ShardId shard) throws IOException;
}
