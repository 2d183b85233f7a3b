package dev.holdfast.query;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.apache.lucene.search.Query;

/// The queries of a request over one shard.
public final class ShardQueries {
  private ShardQueries() {}

  /// A query over a shard; whatever is wrong with it there is told as Elasticsearch tells it.
  ///
  /// @throws Refusal `query_shard_exception` around a bad argument
  public static Query made(QueryClause clause, QueryContext context) {
    try {
      return clause.toLucene(context);
    } catch (Refusal e) {
      if (e.type() != ErrorType.ILLEGAL_ARGUMENT && e.type() != ErrorType.NUMBER_FORMAT) {
        throw e;
      }
      throw new Refusal(ErrorType.QUERY_SHARD, "failed to create query: " + e.reason(), e);
    } catch (IllegalArgumentException e) {
      throw new Refusal(ErrorType.QUERY_SHARD, "failed to create query: " + e.getMessage(), e);
    }
  }
}
