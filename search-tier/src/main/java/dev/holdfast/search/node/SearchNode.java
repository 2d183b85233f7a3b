package dev.holdfast.search.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.query.result.Hit;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/// One search node as a coordinator uses it: called directly when it is this process, by the
/// network otherwise.
public interface SearchNode {
  /// The query phase on some of its shards; with [QueryRequest#isWhole] the fetch phase too.
  QueryAnswer query(QueryRequest request, BooleanSupplier isCancelled)
      throws IOException, InterruptedException;

  /// The fetch phase: hits in the order they are asked for. Readers are released.
  ///
  /// @throws dev.holdfast.world.Refusal `search_context_missing_exception` when the readers were
  ///   released meanwhile
  List<Hit> fetch(FetchRequest request) throws IOException, InterruptedException;

  /// Ends what goes on for a search and releases its readers; nothing when there are none.
  void release(String search) throws IOException, InterruptedException;

  /// The document of that id as of the commit being searched.
  ///
  /// @param dividedSince as in [ShardTarget]
  /// @throws dev.holdfast.world.Refusal a [StaleTarget] when the shard has given documents away
  ///   since
  RealTimeDocument find(ShardId shard, long dividedSince, String id)
      throws IOException, InterruptedException;

  /// Live documents of a shard in the commit being searched.
  long documents(ShardId shard) throws IOException, InterruptedException;

  /// Anything else, in JSON: a name in [NodeQuestion].
  ObjectNode ask(NodeQuestion question, ObjectNode body) throws IOException, InterruptedException;
}
