package dev.holdfast.query.phase;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.slice.ShardSlice;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// The part of a shard that a search may see, and where it goes on.
///
/// @param filter of the alias that names the index; null for none
/// @param slice null for the whole shard
/// @param after the last hit of this shard that was shown, for the next page of a scroll; null from
///   the start
/// @param total documents that match, known from the first page of a scroll; -1 when they are to be
///   counted
public record ShardScope(
    @Nullable QueryClause filter,
    @Nullable ShardSlice slice,
    @Nullable ShardHit after,
    long total) {
  /// Everything, from the start.
  public static final ShardScope ALL = new ShardScope(null, null, null, -1);

  /// The query with what it may not see taken away.
  Query narrow(Query query, QueryContext context) {
    if (filter == null && slice == null) {
      return query;
    }
    BooleanQuery.Builder narrowed = new BooleanQuery.Builder().add(query, Occur.MUST);
    if (filter != null) {
      narrowed.add(filter.toLucene(context), Occur.FILTER);
    }
    Query part = slice == null ? null : slice.toLucene(context);
    if (part != null) {
      narrowed.add(part, Occur.FILTER);
    }
    return narrowed.build();
  }
}
