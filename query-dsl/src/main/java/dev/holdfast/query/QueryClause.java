package dev.holdfast.query;

import java.util.List;
import org.apache.lucene.search.Query;

/// One clause of the query language, read and checked, not yet bound to an index. One file a kind,
/// one line in `Queries`.
public interface QueryClause {
  /// The Lucene query for one index.
  ///
  /// @throws dev.holdfast.world.Refusal `query_shard_exception` or `illegal_argument_exception`
  ///   when it does not fit the mapping
  Query toLucene(QueryContext context);

  /// The clauses inside this one.
  default List<QueryClause> children() {
    return List.of();
  }
}
