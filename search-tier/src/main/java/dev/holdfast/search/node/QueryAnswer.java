package dev.holdfast.search.node;

import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the query phase found on one node.
///
/// @param shards one a shard asked, in order
/// @param hits the page's hits in order, when the search was whole
public record QueryAnswer(List<OfShard> shards, List<Hit> hits) {
  public QueryAnswer {
    shards = List.copyOf(shards);
    hits = List.copyOf(hits);
  }

  /// One shard's: one of both.
  public record OfShard(@Nullable ShardResult result, @Nullable Refusal failure) {}
}
