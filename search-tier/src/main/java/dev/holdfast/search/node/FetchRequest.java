package dev.holdfast.search.node;

import dev.holdfast.query.result.ShardHit;
import java.util.List;

/// The fetch phase of one search on one node.
///
/// @param search as in the query phase
/// @param shards whose hits, in the order of the answer
public record FetchRequest(String search, List<OfShard> shards) {
  public FetchRequest {
    shards = List.copyOf(shards);
  }

  /// @param position of the shard in the query phase's request
  public record OfShard(int position, List<ShardHit> hits) {
    public OfShard {
      hits = List.copyOf(hits);
    }
  }
}
