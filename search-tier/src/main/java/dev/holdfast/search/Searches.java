package dev.holdfast.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.context.PointsInTime;
import dev.holdfast.search.context.ScrollContexts;
import dev.holdfast.search.coordination.SearchManner;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.copy.SegmentFigures;
import dev.holdfast.search.fielduse.FieldUseOfCopy;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// The search tier as the APIs call it. Every method blocks.
public interface Searches {
  /// Query phase on every shard of the indices, merge, fetch phase, in the search pool.
  ///
  /// @param indices concrete, open indices in the order of the request
  /// @param isCancelled asked now and then: the client left, or the time is over
  /// @throws dev.holdfast.world.Refusal when every shard failed
  ///   (`search_phase_execution_exception`), or 429 when the queue is full
  default SearchResponse search(
      List<IndexId> indices, SearchSource source, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    return search(indices, source, SearchManner.PLAIN, isCancelled);
  }

  /// As above, in a manner of the caller's choice.
  SearchResponse search(
      List<IndexId> indices, SearchSource source, SearchManner manner, BooleanSupplier isCancelled)
      throws IOException, InterruptedException;

  /// The same on some shards, or parts of them, in an order that stays: the newest commits, or
  /// those pinned before.
  default SearchResponse searchShards(
      List<ShardTarget> targets, SearchSource source, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    return searchShards(targets, source, SearchManner.PLAIN, isCancelled);
  }

  /// As above, in a manner of the caller's choice.
  SearchResponse searchShards(
      List<ShardTarget> targets,
      SearchSource source,
      SearchManner manner,
      BooleanSupplier isCancelled)
      throws IOException, InterruptedException;

  /// The commits kept open on all search nodes.
  ShardContexts contexts();

  /// Those of scrolls, and their spares.
  ScrollContexts scrolls();

  /// Commits that outlive the nodes that hold them.
  PointsInTime pointsInTime();

  /// The document of that id.
  ///
  /// @param realTime true: as of now, asking the indexing shard; false: as of the commit being
  ///   searched
  RealTimeDocument get(ShardId shard, String id, boolean realTime) throws IOException;

  /// The segments of a shard in the commit being searched.
  List<SegmentFigures> segments(ShardId shard) throws IOException;

  /// Bytes of the files of the commit being searched, by what their names end with.
  Map<String, Long> fileBytes(ShardId shard) throws IOException;

  /// The answer to a question about the newest commit of a shard.
  ///
  /// @param question a name in [dev.holdfast.query.inspection.ShardInspection#ALL]
  ObjectNode ask(ShardId shard, String question, ObjectNode body) throws IOException;

  /// The same of a copy that is open: statistics neither open copies nor keep them open.
  ///
  /// @return an empty object when the copy asked holds no reader
  ObjectNode askIfOpen(ShardId shard, String question, ObjectNode body) throws IOException;

  /// What all search nodes have searched since they were started, by shard.
  Map<ShardId, SearchFigures> searched();

  /// What the caches of all search nodes hold and have done, by shard; of shards that they know.
  Map<ShardId, CacheFigures> caches() throws IOException;

  /// How often searches read each field, by copy of the indices' shards.
  List<FieldUseOfCopy> fieldUse(Set<IndexId> indices);

  /// Empties caches on all search nodes.
  ///
  /// @param filters whether the documents of filters go
  /// @param requests whether the answers of shards go
  void clearCaches(Set<IndexId> indices, boolean filters, boolean requests);

  /// Live documents of a shard in the commit being searched, without any query.
  long documents(ShardId shard) throws IOException;
}
