/// Statistics of terms over all shards of a search (`search_type=dfs_query_then_fetch`, and `knn`
/// beside a query): each shard tells those of the terms that the search scores by, the coordinator
/// adds them up, and the query phase of every shard scores by the sums. Called by the coordinator
/// and, in the search pool, by the query phase; nothing here blocks or does I/O but reading the
/// terms of the commit that is searched.
@NullMarked
package dev.holdfast.query.statistics;

import org.jspecify.annotations.NullMarked;
